/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_pack.c - turns a record into one flat buffer, and back. */
#include "record/record.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "numeric/kind.h"
#include "record/record_data.h"

/* The head of a packed record. The body behind it, which pack_body writes, consists of texts (each preceded by its
 * length), of integers and doubles with their bytes in memory, and of the blob of record_data.h. `checksum` and
 * `bytes` are those of the body. */
struct head { uint32_t magic, checksum; uint64_t bytes; };
enum { MAGIC = 0x32525341 };

static void pack_count(FILE *f, uint64_t n)
{
    fwrite(&n, sizeof n, 1, f);
}

/* Writes a double; every NaN has the same bytes, as record_equal takes all NaNs as equal. */
static void pack_real(FILE *f, double v)
{
    if (isnan(v))
        v = NAN;
    fwrite(&v, sizeof v, 1, f);
}

static void pack_text(FILE *f, const char *text)
{
    pack_count(f, strlen(text));
    fwrite(text, 1, strlen(text), f);
}

static bool pack_body(FILE *f, const struct record *r)
{
    unsigned char *data = NULL;
    size_t room = 0, n;

    pack_text(f, r->cell);
    pack_text(f, r->fingerprint);
    pack_count(f, r->outcome);
    pack_count(f, r->uses);
    pack_text(f, r->message);
    pack_real(f, r->seconds);
    pack_real(f, r->peak_bytes);
    bool whole = record_data(r, &data, &room, &n) && fwrite(data, 1, n, f) == n;
    free(data);
    return whole;
}

bool record_pack(const struct record *r, void **bytes, size_t *n)
{
    struct head h = { .magic = MAGIC };
    char *buffer = NULL;
    FILE *f;
    bool bad;

    if (r->out_of_memory || !(f = open_memstream(&buffer, n)))
        return false;
    fwrite(&h, sizeof h, 1, f);
    bad = !pack_body(f, r) || ferror(f);
    if (fclose(f) != 0 || bad || !buffer) {
        free(buffer);
        return false;
    }
    h.bytes = *n - sizeof h;
    h.checksum = crc32_z(0, (unsigned char *)buffer + sizeof h, h.bytes);
    memcpy(buffer, &h, sizeof h);
    *bytes = buffer;
    return true;
}

/* The bytes of a packed record that are still to be read. After the first item that is longer than the rest (bad),
 * every item is read as zero. */
struct reader {
    const unsigned char *at;
    size_t left;
    bool bad;
};

static void unpack_bytes(struct reader *f, void *out, size_t n)
{
    if (f->bad || n > f->left) {
        f->bad = true;
        memset(out, 0, n);
        return;
    }
    memcpy(out, f->at, n);
    f->at += n;
    f->left -= n;
}

static uint64_t unpack_count(struct reader *f)
{
    uint64_t n;

    unpack_bytes(f, &n, sizeof n);
    return n;
}

static double unpack_real(struct reader *f)
{
    double v;

    unpack_bytes(f, &v, sizeof v);
    return v;
}

/* out[room] <- the next text. If it is longer than the rest of the bytes or than the room, or has a zero byte in
 * it, out is "" and f->bad is set. */
static void unpack_text(struct reader *f, char *out, size_t room)
{
    uint64_t n = unpack_count(f);

    *out = 0;
    if (f->bad || n > f->left || n >= room || memchr(f->at, 0, n)) {
        f->bad = true;
        return;
    }
    unpack_bytes(f, out, n);
    out[n] = 0;
}

static struct record *unpack_identity(struct reader *f)
{
    char fingerprint[sizeof ((struct record *)0)->fingerprint];
    char *cell = malloc(f->left + 1);
    struct record *r = NULL;

    if (!cell)
        return NULL;
    unpack_text(f, cell, f->left + 1);
    unpack_text(f, fingerprint, sizeof fingerprint);
    if (!f->bad)
        r = record_new(cell, fingerprint);
    free(cell);
    return r;
}

static void unpack_body(struct reader *f, struct record *r, struct record_names_kept *names)
{
    uint64_t outcome = unpack_count(f), uses = unpack_count(f);
    char message[RECORD_MESSAGE];

    r->uses = (unsigned)uses;
    unpack_text(f, message, sizeof message);
    record_end(r, outcome < OUTCOMES ? (enum outcome)outcome : OUTCOME_CRASHED, message);
    r->seconds = unpack_real(f);
    r->peak_bytes = unpack_real(f);
    f->bad |= outcome >= OUTCOMES || uses > USES_ALL || !record_take_data(r, f->at, f->left, names);
}

struct record *record_unpack(const void *bytes, size_t n, struct record_names_kept *names)
{
    struct record_names_kept own = { { NULL } };
    struct reader f = { bytes, n, false };
    struct head h;
    struct record *r;

    unpack_bytes(&f, &h, sizeof h);
    errno = EBADMSG;
    if (f.bad || h.magic != MAGIC || h.bytes != f.left || h.checksum != crc32_z(0, f.at, f.left))
        return NULL;
    r = unpack_identity(&f);
    if (!r) {
        errno = f.bad ? EBADMSG : ENOMEM;
        return NULL;
    }
    unpack_body(&f, r, names ? names : &own);
    record_names_forget(&own);
    if (!f.bad && !r->out_of_memory)
        return r;
    int error = r->out_of_memory ? ENOMEM : EBADMSG;
    record_free(r);
    errno = error;
    return NULL;
}

struct record *record_copy(const struct record *r)
{
    struct record *copy;
    void *bytes;
    size_t n;

    if (!record_pack(r, &bytes, &n))
        return NULL;
    copy = record_unpack(bytes, n, NULL);
    free(bytes);
    return copy;
}
