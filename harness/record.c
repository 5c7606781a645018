/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.c - the result of one cell. */
#include "record.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "status.h"

const char *record_outcome_name(enum outcome o)
{
    static const char *const names[] = {
#define X(id, text) text,
        OUTCOME_LIST(X)
#undef X
    };

    return (unsigned)o < OUTCOMES ? names[o] : "unknown";
}

bool record_outcome_parse(const char *name, enum outcome *o)
{
    for (int k = 0; k < OUTCOMES; k++) {
        if (strcmp(name, record_outcome_name(k)) == 0) {
            *o = k;
            return true;
        }
    }
    return false;
}

struct record *record_new(const char *cell, const char *fingerprint)
{
    struct record *r = calloc(1, sizeof *r);

    BUG_IF(strlen(fingerprint) >= sizeof r->fingerprint);
    if (!r)
        return NULL;
    r->cell = strdup(cell);
    if (!r->cell) {
        free(r);
        return NULL;
    }
    strcpy(r->fingerprint, fingerprint);
    return r;
}

void record_free(struct record *r)
{
    if (!r)
        return;
    free(r->cell);
    free(r->value);
    free(r->trace.column);
    free(r->trace.value);
    free(r);
}

struct record *record_copy(const struct record *r)
{
    struct record *copy;
    void *bytes;
    size_t n;

    if (!record_pack(r, &bytes, &n))
        return NULL;
    copy = record_unpack(bytes, n);
    free(bytes);
    return copy;
}

void record_end(struct record *r, enum outcome o, const char *message)
{
    r->outcome = o;
    snprintf(r->message, sizeof r->message, "%s", message ? message : "");
}

/* Index of the first value whose name is not below `name`. */
static size_t place(const struct record *r, const char *name)
{
    size_t lo = 0, hi = r->values;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (strcmp(r->value[mid].name, name) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool is_at(const struct record *r, size_t k, const char *name)
{
    return k < r->values && strcmp(r->value[k].name, name) == 0;
}

void record_put(struct record *r, const char *name, double value)
{
    size_t k = place(r, name);

    BUG_IF(strlen(name) >= RECORD_NAME);
    if (is_at(r, k, name)) {
        r->value[k].value = value;
        return;
    }
    if (r->values == r->room) {
        size_t room = r->room ? 2 * r->room : 32;
        struct record_value *more = realloc(r->value, room * sizeof *more);

        if (!more) {
            r->out_of_memory = true;
            return;
        }
        r->value = more;
        r->room = room;
    }
    memmove(&r->value[k + 1], &r->value[k], (r->values - k) * sizeof *r->value);
    strcpy(r->value[k].name, name);
    r->value[k].value = value;
    r->values++;
}

bool record_get(const struct record *r, const char *name, double *value)
{
    size_t k = place(r, name);

    if (!is_at(r, k, name))
        return false;
    *value = r->value[k].value;
    return true;
}

void record_trace_column(struct record *r, const char *name)
{
    struct record_trace *t = &r->trace;
    char (*more)[RECORD_NAME];

    BUG_IF(t->rows > 0 || strlen(name) >= RECORD_NAME);
    more = realloc(t->column, (t->columns + 1) * sizeof *more);
    if (!more) {
        r->out_of_memory = true;
        return;
    }
    t->column = more;
    strcpy(t->column[t->columns++], name);
}

void record_trace_columns(struct record *r, size_t columns, const char *const *names)
{
    free(r->trace.column);
    free(r->trace.value);
    r->trace = (struct record_trace){ 0 };
    for (size_t k = 0; k < columns; k++)
        record_trace_column(r, names[k]);
}

void record_trace_row(struct record *r, const double *row)
{
    struct record_trace *t = &r->trace;

    if (t->columns == 0)
        return;
    if (t->rows == t->room) {
        size_t room = t->room ? 2 * t->room : 16;
        double *more = reallocarray(t->value, room, t->columns * sizeof *more);

        if (!more) {
            r->out_of_memory = true;
            return;
        }
        t->value = more;
        t->room = room;
    }
    memcpy(t->value + t->rows++ * t->columns, row, t->columns * sizeof *row);
}

/* --- flat buffer: head, texts with their length first, counts, doubles as they are in memory */

struct head { uint32_t magic, checksum; uint64_t bytes; };   /* both of what follows the head */
enum { MAGIC = 0x31525341 };

static void pack_count(FILE *f, uint64_t n)
{
    fwrite(&n, sizeof n, 1, f);
}

static void pack_real(FILE *f, double v)
{
    fwrite(&v, sizeof v, 1, f);
}

static void pack_text(FILE *f, const char *text)
{
    pack_count(f, strlen(text));
    fwrite(text, 1, strlen(text), f);
}

static void pack_body(FILE *f, const struct record *r)
{
    const struct record_trace *t = &r->trace;

    pack_text(f, r->cell);
    pack_text(f, r->fingerprint);
    pack_count(f, r->outcome);
    pack_text(f, r->message);
    pack_real(f, r->seconds);
    pack_real(f, r->peak_bytes);
    pack_count(f, r->values);
    for (size_t k = 0; k < r->values; k++) {
        pack_text(f, r->value[k].name);
        pack_real(f, r->value[k].value);
    }
    pack_count(f, t->columns);
    for (size_t k = 0; k < t->columns; k++)
        pack_text(f, t->column[k]);
    pack_count(f, t->rows);
    if (t->rows)
        fwrite(t->value, t->columns * sizeof *t->value, t->rows, f);
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
    pack_body(f, r);
    bad = ferror(f);
    if (fclose(f) != 0 || bad) {
        free(buffer);
        return false;
    }
    h.bytes = *n - sizeof h;
    h.checksum = crc32_z(0, (unsigned char *)buffer + sizeof h, h.bytes);
    memcpy(buffer, &h, sizeof h);
    *bytes = buffer;
    return true;
}

/* What is left to read; the first thing that does not fit makes everything after it zero. */
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

/* out[room] <- a string, empty if it does not fit. */
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

static void unpack_trace(struct reader *f, struct record *r)
{
    char name[RECORD_NAME];
    size_t size;
    uint64_t rows;

    for (uint64_t left = unpack_count(f); left > 0 && !f->bad; left--) {
        unpack_text(f, name, sizeof name);
        record_trace_column(r, name);
    }
    rows = unpack_count(f);
    size = r->trace.columns * sizeof(double);
    if (f->bad || r->out_of_memory || rows == 0)
        return;
    if (size == 0 || rows > f->left / size || !(r->trace.value = malloc(rows * size))) {
        f->bad = true;
        return;
    }
    unpack_bytes(f, r->trace.value, rows * size);
    r->trace.rows = r->trace.room = rows;
}

static void unpack_body(struct reader *f, struct record *r)
{
    uint64_t outcome = unpack_count(f);
    char name[RECORD_NAME];

    if (outcome >= OUTCOMES)
        f->bad = true;
    else
        r->outcome = outcome;
    unpack_text(f, r->message, sizeof r->message);
    r->seconds = unpack_real(f);
    r->peak_bytes = unpack_real(f);
    for (uint64_t left = unpack_count(f); left > 0 && !f->bad; left--) {
        unpack_text(f, name, sizeof name);
        record_put(r, name, unpack_real(f));
    }
    unpack_trace(f, r);
}

struct record *record_unpack(const void *bytes, size_t n)
{
    struct reader f = { bytes, n, false };
    struct head h;
    struct record *r;

    unpack_bytes(&f, &h, sizeof h);
    if (f.bad || h.magic != MAGIC || h.bytes != f.left || h.checksum != crc32_z(0, f.at, f.left))
        return NULL;
    r = unpack_identity(&f);
    if (!r)
        return NULL;
    unpack_body(&f, r);
    if (f.bad || f.left || r->out_of_memory) {
        record_free(r);
        return NULL;
    }
    return r;
}

static bool same(double a, double b)
{
    return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : memcmp(&a, &b, sizeof a) == 0;
}

bool record_equal(const struct record *a, const struct record *b)
{
    const struct record_trace *s = &a->trace, *t = &b->trace;

    if (strcmp(a->cell, b->cell) != 0 || strcmp(a->fingerprint, b->fingerprint) != 0 ||
        a->outcome != b->outcome || strcmp(a->message, b->message) != 0 ||
        a->values != b->values || s->columns != t->columns || s->rows != t->rows)
        return false;
    for (size_t k = 0; k < a->values; k++) {
        if (!is_at(b, k, a->value[k].name) || !same(a->value[k].value, b->value[k].value))
            return false;
    }
    for (size_t k = 0; k < s->columns; k++) {
        if (strcmp(s->column[k], t->column[k]) != 0)
            return false;
    }
    for (size_t k = 0; k < s->rows * s->columns; k++) {
        if (!same(s->value[k], t->value[k]))
            return false;
    }
    return true;
}

/* --- printing */

static void write_real(FILE *out, double v, const char *quote)
{
    if (isfinite(v))
        fprintf(out, "%.17g", v);
    else
        fprintf(out, "%s%s%s", quote, isnan(v) ? "nan" : v > 0 ? "inf" : "-inf", quote);
}

void record_write_line_text(FILE *out, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        fprintf(out, *c < 32 || *c == 127 || *c == '\\' ? "\\x%02x" : "%c", *c);
}

/* Bytes of the UTF-8 character at c (RFC 3629: no surrogates, shortest form), 0 if it is none. */
static int utf8_length(const unsigned char *c)
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

void record_write_json_text(FILE *out, const char *text)
{
    const unsigned char *c = (const unsigned char *)text;

    putc('"', out);
    while (*c) {
        int n = utf8_length(c);

        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c++);
        else if (*c < 32 || n == 0)
            fprintf(out, "\\u%04x", *c++);
        else
            for (; n > 0; n--)
                putc(*c++, out);
    }
    putc('"', out);
}

static void write_csv_text(FILE *out, const char *text)
{
    bool quote = strpbrk(text, ",\"\r\n") != NULL;

    if (quote)
        putc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    if (quote)
        putc('"', out);
}

/* One line: the identity, then row (-1: none), name and value (name NULL: a record without any). */
static void write_csv_line(FILE *out, const struct record *r, long row, const char *name, double v)
{
    write_csv_text(out, r->cell);
    fprintf(out, ",%s,%s,", r->fingerprint, record_outcome_name(r->outcome));
    write_csv_text(out, r->message);
    fprintf(out, row < 0 ? ",," : ",%ld,", row);
    write_csv_text(out, name ? name : "");
    putc(',', out);
    if (name)
        write_real(out, v, "");
    putc('\n', out);
}

static void write_csv(FILE *out, const struct record *r, bool canonical)
{
    const struct record_trace *t = &r->trace;

    if (r->values == 0)
        write_csv_line(out, r, -1, NULL, 0);
    for (size_t k = 0; k < r->values; k++)
        write_csv_line(out, r, -1, r->value[k].name, r->value[k].value);
    for (size_t k = 0; k < t->rows * t->columns; k++)
        write_csv_line(out, r, k / t->columns, t->column[k % t->columns], t->value[k]);
    if (!canonical) {
        write_csv_line(out, r, -1, "seconds", r->seconds);
        write_csv_line(out, r, -1, "peak_bytes", r->peak_bytes);
    }
}

static void write_text_value(FILE *out, const char *name, double v)
{
    fputs("  ", out);
    record_write_line_text(out, name);
    fputs(" = ", out);
    write_real(out, v, "");
    putc('\n', out);
}

static void write_text(FILE *out, const struct record *r, bool canonical)
{
    const struct record_trace *t = &r->trace;

    record_write_line_text(out, r->cell);
    fprintf(out, "\n  fingerprint %s\n  outcome %s\n", r->fingerprint,
            record_outcome_name(r->outcome));
    if (*r->message) {
        fputs("  message ", out);
        record_write_line_text(out, r->message);
        putc('\n', out);
    }
    for (size_t k = 0; k < r->values; k++)
        write_text_value(out, r->value[k].name, r->value[k].value);
    if (!canonical) {
        write_text_value(out, "seconds", r->seconds);
        write_text_value(out, "peak_bytes", r->peak_bytes);
    }
    for (size_t k = 0; k < t->columns; k++) {
        fputs(k ? " " : "  trace: ", out);
        record_write_line_text(out, t->column[k]);
    }
    for (size_t k = 0; k < t->rows * t->columns; k++) {
        fputs(k % t->columns ? " " : "\n    ", out);
        write_real(out, t->value[k], "");
    }
    if (t->columns)
        putc('\n', out);
}

static void write_json(FILE *out, const struct record *r, bool canonical)
{
    const struct record_trace *t = &r->trace;

    fputs("{\"cell\":", out);
    record_write_json_text(out, r->cell);
    fprintf(out, ",\"fingerprint\":\"%s\",\"outcome\":\"%s\",\"message\":", r->fingerprint,
            record_outcome_name(r->outcome));
    record_write_json_text(out, r->message);
    fputs(",\"values\":{", out);
    for (size_t k = 0; k < r->values; k++) {
        fputs(k ? "," : "", out);
        record_write_json_text(out, r->value[k].name);
        putc(':', out);
        write_real(out, r->value[k].value, "\"");
    }
    fputs("},\"trace\":{\"columns\":[", out);
    for (size_t k = 0; k < t->columns; k++) {
        fputs(k ? "," : "", out);
        record_write_json_text(out, t->column[k]);
    }
    fputs("],\"rows\":[", out);
    for (size_t k = 0; k < t->rows * t->columns; k++) {
        fputs(k % t->columns ? "," : k ? "],[" : "[", out);
        write_real(out, t->value[k], "\"");
    }
    fputs(t->rows ? "]]}" : "]}", out);
    if (!canonical) {
        fputs(",\"seconds\":", out);
        write_real(out, r->seconds, "\"");
        fputs(",\"peak_bytes\":", out);
        write_real(out, r->peak_bytes, "\"");
    }
    putc('}', out);
}

void record_write(FILE *out, const struct record *r, enum record_format format, bool canonical)
{
    if (format == RECORD_CSV)
        write_csv(out, r, canonical);
    else if (format == RECORD_JSON)
        write_json(out, r, canonical);
    else
        write_text(out, r, canonical);
}
