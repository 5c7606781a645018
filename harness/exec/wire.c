/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire.c - writes and reads the fields of messages. */
#include "exec/wire.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "api/status.h"

static unsigned char *more(struct wire_out *w, size_t bytes)
{
    if (w->n + bytes > w->room) {
        w->room = 2 * (w->n + bytes) + 256;
        w->at = realloc(w->at, w->room);
        BUG_IF(!w->at);
    }
    unsigned char *at = w->at + w->n;
    w->n += bytes;
    return at;
}

void wire_u32(struct wire_out *w, uint32_t v)
{
    v = htole32(v);
    memcpy(more(w, sizeof v), &v, sizeof v);
}

void wire_begin(struct wire_out *w, uint32_t kind)
{
    w->n = w->shared_n = 0;
    w->points = 1;
    wire_u32(w, 0);
    wire_u32(w, kind);
}

void wire_end(struct wire_out *w)
{
    uint32_t bytes = htole32((uint32_t)(w->n - WIRE_HEADER));
    memcpy(w->at, &bytes, sizeof bytes);
}

void wire_f64(struct wire_out *w, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    bits = htole64(bits);
    memcpy(more(w, sizeof bits), &bits, sizeof bits);
}

void wire_text(struct wire_out *w, const char *text)
{
    size_t n = strlen(text);
    wire_u32(w, (uint32_t)n);
    memcpy(more(w, n), text, n);
}

/* to[8d] <- d doubles, converted between the byte order of the channel and that of this machine. memcpy is used
 * since it moves the data by the widest registers of the processor, which the flags of the build do not let the
 * compiler use. */
static void copy_numbers(long d, const void *from, void *to)
{
    memcpy(to, from, 8 * (size_t)d);
    for (long k = 0; k < d && BYTE_ORDER == BIG_ENDIAN; k++) {
        uint64_t bits;
        memcpy(&bits, (char *)to + 8 * k, sizeof bits);
        bits = htole64(bits);
        memcpy((char *)to + 8 * k, &bits, sizeof bits);
    }
}

void wire_vec(struct wire_out *w, long d, const double *x)
{
    size_t bytes = (size_t)d * sizeof *x;
    wire_u32(w, (uint32_t)d);
    if (!w->shared || w->points * d <= WIRE_SHARED) {
        copy_numbers(d, x, more(w, bytes));
        return;
    }
    BUG_IF(bytes > w->shared_room - w->shared_n);
    copy_numbers(d, x, w->shared + w->shared_n);
    w->shared_n += bytes;
}

void wire_free(struct wire_out *w)
{
    free(w->at);
    *w = (struct wire_out){ 0 };
}

/* --- reading fields */

static const unsigned char *less(struct wire_in *w, size_t bytes)
{
    if (w->bad || bytes > w->n - w->next) {
        w->bad = true;
        return NULL;
    }
    w->next += bytes;
    return w->at + w->next - bytes;
}

uint32_t wire_get_u32(struct wire_in *w)
{
    uint32_t v = 0;
    const unsigned char *at = less(w, sizeof v);
    if (at)
        memcpy(&v, at, sizeof v);
    return le32toh(v);
}

double wire_get_f64(struct wire_in *w)
{
    uint64_t bits = 0;
    double v;
    const unsigned char *at = less(w, sizeof bits);
    if (at)
        memcpy(&bits, at, sizeof bits);
    bits = le64toh(bits);
    memcpy(&v, &bits, sizeof v);
    return v;
}

void wire_get_text(struct wire_in *w, size_t room, char *text)
{
    uint32_t n = wire_get_u32(w);
    const unsigned char *at = n < room ? less(w, n) : NULL;
    *text = 0;
    if (!at || memchr(at, 0, n)) {
        w->bad = true;
        return;
    }
    memcpy(text, at, n);
    text[n] = 0;
}

/* Returns the next `bytes` bytes of the shared memory; NULL, and w->bad, where not so many are left. */
static const unsigned char *less_shared(struct wire_in *w, size_t bytes)
{
    if (w->bad || bytes > w->shared_room - w->shared_n) {
        w->bad = true;
        return NULL;
    }
    w->shared_n += bytes;
    return w->shared + w->shared_n - bytes;
}

void wire_get_vec(struct wire_in *w, long d, double *x)
{
    uint32_t n = wire_get_u32(w);
    size_t bytes = (size_t)d * sizeof *x;
    if (n != (uint32_t)d)
        w->bad = true;
    const unsigned char *at = w->shared && w->points * d > WIRE_SHARED ? less_shared(w, bytes) : less(w, bytes);
    if (at)
        copy_numbers(d, at, x);
}

bool wire_whole(const struct wire_in *w) { return !w->bad && w->next == w->n; }
