/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_gzip.c - bytes as a data file whose format is found from its content, plain and compressed: both forms are
 * refused, or the two give equal tables. Bytes that are a gzip file already are read as they are only. */
#include <zlib.h>

#include "fuzz/fuzz_data.h"

/* Returns the bytes as a gzip file of *n bytes; free() it. */
static uint8_t *compressed(const uint8_t *data, size_t size, size_t *n)
{
    enum { GZIP = 16 };                  /* added to windowBits: a gzip header */
    z_stream z = { .next_in = (uint8_t *)data, .avail_in = (unsigned)size };
    BUG_IF(deflateInit2(&z, 6, Z_DEFLATED, MAX_WBITS + GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK);
    *n = deflateBound(&z, size);
    uint8_t *packed = malloc(*n);
    BUG_IF(!packed);
    z.next_out = packed;
    z.avail_out = (unsigned)*n;
    BUG_IF(deflate(&z, Z_FINISH) != Z_STREAM_END);
    *n = z.total_out;
    deflateEnd(&z);
    return packed;
}

FUZZ(gzip)
{
    struct table plain = { .n = 0 }, packed = { .n = 0 };
    size_t n;
    bool is_gzip = size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
    uint8_t *bytes = compressed(data, size, &n);
    bool read = fuzz_read(data, size, "any", &plain);
    if (!is_gzip) {
        BUG_IF(fuzz_read(bytes, n, "any", &packed) != read);
        BUG_IF(read && (plain.checksum != packed.checksum || plain.n != packed.n ||
                        plain.d != packed.d || plain.nonzeros != packed.nonzeros));
    }
    table_clear(&plain);
    table_clear(&packed);
    free(bytes);
    return 0;
}
