/* SPDX-License-Identifier: GPL-3.0-or-later */
/* utf8.h - recognises UTF-8 characters in messages and names, which may hold any bytes. */
#ifndef ASSAY_UTF8_H
#define ASSAY_UTF8_H

/* Returns the length in bytes of the UTF-8 character at c (RFC 3629: no surrogates, shortest form); 0: there is
 * none. */
static inline int utf8_length(const unsigned char *c)
{
    int n = *c < 0x80 ? 1 : *c < 0xc2 ? 0 : *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : *c < 0xf5 ? 4 : 0;

    for (int k = 1; k < n; k++) {
        if ((c[k] & 0xc0) != 0x80)
            return 0;
    }
    if ((*c == 0xe0 && c[1] < 0xa0) || (*c == 0xed && c[1] > 0x9f) ||
        (*c == 0xf0 && c[1] < 0x90) || (*c == 0xf4 && c[1] > 0x8f))
        return 0;
    return n;
}

#endif
