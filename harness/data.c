/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data.c - LIBSVM text, plain or gzip, into rows, columns and, if it pays, a dense copy. */
#include "data.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <zlib.h>

enum { COLUMNS_MAX = 1 << 27 };
/* A small compressed file can be a large text: the text is what is limited. */
static const size_t TEXT_MAX = (size_t)4 << 30;
#define DEFAULT_PATH "/usr/share/doc/liblinear-tools/examples/heart_scale"

struct parser {
    const char *name;                /* of the file, as shown in messages */
    char *text;                      /* decompressed, NUL-terminated */
    size_t length;
    long line;
    struct table *t;
    size_t rows_capacity, entries_capacity;
    struct why *why;
};

/* Tables outlive every cell that reads them and are the same for all, so they are kept for the
 * process, by resolved path: the only mutable state of this file. Loading is not thread-safe;
 * workers are processes. */
struct loaded {
    struct loaded *next;
    struct table table;
    struct columns *columns;         /* once asked for */
};
static struct loaded *cache;

/* The end of a long path tells more than its beginning, and the reason must still fit. */
static const char *shown(const char *path)
{
    size_t n = strlen(path);
    return n > 200 ? path + n - 200 : path;
}

/* A token as it may stand in a message: short, and printable. */
struct quoted { char text[44]; };
static struct quoted quote(const char *token, size_t n)
{
    struct quoted q = { "" };
    size_t k = n < 40 ? n : 40;
    for (size_t i = 0; i < k; i++)
        q.text[i] = token[i] < ' ' || token[i] > '~' ? '?' : token[i];
    if (n > k)
        memcpy(q.text + k, "...", 3);
    return q;
}

__attribute__((format(printf, 2, 3)))
static enum status bad(const struct parser *p, const char *format, ...)
{
    char reason[180];
    va_list ap;
    va_start(ap, format);
    vsnprintf(reason, sizeof reason, format, ap);
    va_end(ap);
    return why_set(p->why, BAD_INPUT, "%s:%ld: %s", p->name, p->line, reason);
}

static enum status no_memory(const struct parser *p)
{
    return why_set(p->why, NO_MEMORY, "%s:%ld: not enough memory for the table", p->name, p->line);
}

/* The array with room for `capacity` elements; the old one, and *ok <- false, without memory. */
static void *widen(void *array, size_t capacity, size_t size, bool *ok)
{
    void *grown = realloc(array, capacity * size);
    *ok &= grown != NULL;
    return grown ? grown : array;
}

/* The whole text: a stream cut short is only reported after its last byte. */
static enum status text_read(struct parser *p, gzFile file)
{
    int got, error = Z_OK;
    bool ok = true;
    for (size_t capacity = 0;; p->length += (size_t)got) {
        if (capacity - p->length < 2) {
            capacity = capacity ? 2 * capacity : 1 << 20;
            p->text = widen(p->text, capacity, 1, &ok);
        }
        if (!ok)
            return no_memory(p);
        size_t room = capacity - p->length - 1;
        got = gzread(file, p->text + p->length, room < 1 << 20 ? (unsigned)room : 1 << 20);
        gzerror(file, &error);
        if (got < 0 && error == Z_ERRNO)
            return why_set(p->why, IO_ERROR, "%s: %s", p->name, strerror(errno));
        if (got < 0 || (got == 0 && error == Z_BUF_ERROR))
            return why_set(p->why, BAD_INPUT, "%s: damaged gzip file: expected a whole one",
                           p->name);
        if (p->length + (size_t)got > TEXT_MAX)
            return why_set(p->why, BAD_INPUT, "%s: expected at most 4 GiB of text", p->name);
        if (got == 0)
            break;
    }
    p->text[p->length] = 0;
    p->t->checksum = 0xcbf29ce484222325ull;              /* FNV-1a */
    for (size_t i = 0; i < p->length; i++)
        p->t->checksum = (p->t->checksum ^ (unsigned char)p->text[i]) * 0x100000001b3ull;
    return OK;
}

/* --- numbers and tokens */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Steps over a sign, if there is one: true for a minus. */
static bool signed_by(const char **c, const char *end)
{
    bool minus = *c < end && **c == '-';
    *c += minus || (*c < end && **c == '+');
    return minus;
}

/* Decimal text s[n] as the nearest double. A mantissa below 2^53 and a power of ten up to 10^22
 * are exact, so one rounded operation is the right answer (Clinger 1990); all else is strtod's.
 * false: not a decimal number. */
static bool decimal(const char *s, size_t n, double *value)
{
    static const double ten[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    const char *c = s, *end = s + n;
    uint64_t mantissa = 0;
    long digits = 0, power = 0, exponent = 0;
    bool minus = signed_by(&c, end);
    for (bool point = false; c < end && (is_digit(*c) || (*c == '.' && !point)); c++) {
        if (*c == '.') {
            point = true;
            continue;
        }
        digits++;
        /* The largest value: too long for the fast path, and stays so. */
        mantissa = mantissa < UINT64_MAX / 10 ? mantissa * 10 + (uint64_t)(*c - '0') : UINT64_MAX;
        power -= point;
    }
    if (digits == 0)
        return false;
    if (c < end && (*c == 'e' || *c == 'E')) {
        c++;
        bool negative = signed_by(&c, end);
        digits = 0;
        for (; c < end && is_digit(*c); c++, digits++)
            exponent = exponent < 100000 ? exponent * 10 + (*c - '0') : exponent;
        power += negative ? -exponent : exponent;
    }
    if (c < end || digits == 0)
        return false;
    if (mantissa > 1ull << 53 || power < -22 || power > 22) {
        *value = strtod(s, NULL);            /* stops at the token's end by the syntax checked */
        return true;
    }
    double v = power < 0 ? (double)mantissa / ten[-power] : (double)mantissa * ten[power];
    *value = minus ? -v : v;
    return true;
}

/* A number s[n], or the reason why token[m], of which it is the whole or a part, has none. */
static enum status number(struct parser *p, const char *s, size_t n, const char *token, size_t m,
                          const char *what, double *value)
{
    return decimal(s, n, value) && isfinite(*value) ? OK
        : bad(p, "'%s': expected %s, a finite decimal number", quote(token, m).text, what);
}

/* *k <- the index s[n] of token[m], or the reason why it is none. */
static enum status column_of(struct parser *p, const char *s, size_t n, size_t m, long *k)
{
    bool minus = n > 1 && *s == '-';
    size_t i = minus;
    for (*k = 0; i < n && is_digit(s[i]); i++)
        *k = *k <= COLUMNS_MAX ? *k * 10 + (s[i] - '0') : *k;
    if (n == 0 || i < n)
        return bad(p, "'%s': expected a whole number before ':'", quote(s, m).text);
    if (minus || *k < 1 || *k > COLUMNS_MAX)
        return bad(p, "'%s': expected an index from 1 to %d, where a vector takes 1 GiB",
                   quote(s, m).text, COLUMNS_MAX);
    return OK;
}

static enum status row_begin(struct parser *p, double label)
{
    struct table *t = p->t;
    bool ok = true;
    if (t->n == INT_MAX)
        return bad(p, "expected at most %d records", INT_MAX);
    if ((size_t)t->n == p->rows_capacity) {
        p->rows_capacity = p->rows_capacity ? 2 * p->rows_capacity : 1024;
        t->label = widen(t->label, p->rows_capacity, sizeof *t->label, &ok);
        t->row = widen(t->row, p->rows_capacity + 1, sizeof *t->row, &ok);
    }
    if (!ok)
        return no_memory(p);
    t->label[t->n++] = label;
    t->row[t->n - 1] = t->row[t->n] = t->nonzeros;
    return OK;
}

static enum status row_add(struct parser *p, long column, double value)
{
    struct table *t = p->t;
    bool ok = true;
    if (column > t->d)
        t->d = column;
    if (value == 0)
        return OK;
    if ((size_t)t->nonzeros == p->entries_capacity) {
        p->entries_capacity = p->entries_capacity ? 2 * p->entries_capacity : 8192;
        t->index = widen(t->index, p->entries_capacity, sizeof *t->index, &ok);
        t->value = widen(t->value, p->entries_capacity, sizeof *t->value, &ok);
    }
    if (!ok)
        return no_memory(p);
    t->index[t->nonzeros] = (int)(column - 1);
    t->value[t->nonzeros] = value;
    t->row[t->n] = ++t->nonzeros;
    return OK;
}

/* One `index:value`; *last: the index before it in the row, 0 at its beginning. */
static enum status parse_entry(struct parser *p, const char *token, size_t n, long *last)
{
    const char *colon = memchr(token, ':', n);
    long column = 0;
    double value = 0;
    if (!colon)
        return bad(p, "'%s': expected index:value", quote(token, n).text);
    if (strncmp(token, "qid:", 4) == 0)
        return bad(p, "'%s': qid is not supported, expected index:value", quote(token, n).text);
    TRY(column_of(p, token, (size_t)(colon - token), n, &column));
    if (column <= *last)
        return bad(p, "'%s': expected an index above %ld, the one before", quote(token, n).text,
                   *last);
    TRY(number(p, colon + 1, n - (size_t)(colon + 1 - token), token, n, "a value after ':'",
               &value));
    *last = column;
    return row_add(p, column, value);
}

static enum status parse_line(struct parser *p, char *c, char *end)
{
    long last = 0;
    double label = 0;
    if (memchr(c, 0, (size_t)(end - c)))
        return bad(p, "a NUL byte: expected LIBSVM text, label index:value ...");
    if (end > c && end[-1] == '\r')
        end--;
    *end = 0;
    c[strcspn(c, "#")] = 0;
    for (bool first = true;; first = false) {
        c += strspn(c, " \t");
        size_t n = strcspn(c, " \t");
        if (n == 0)
            return OK;
        if (first) {
            TRY(number(p, c, n, c, n, "a label", &label));
            TRY(row_begin(p, label));
        } else {
            TRY(parse_entry(p, c, n, &last));
        }
        c += n;
    }
}

/* --- columns and the dense copy: the same entries, ordered otherwise */

/* 0, 1, ..., n-1; NULL without memory. */
static int *counting(long n)
{
    int *k = malloc((size_t)n * sizeof *k);
    for (long i = 0; k && i < n; i++)
        k[i] = (int)i;
    return k;
}

static enum status dense_make(struct parser *p)
{
    struct table *t = p->t;
    if (2 * t->nonzeros <= t->n * t->d)
        return OK;
    t->dense = calloc((size_t)(t->n * t->d), sizeof *t->dense);
    int *all = counting(t->d);
    for (long i = 0; t->dense && i < t->n; i++)
        for (long k = t->row[i]; k < t->row[i + 1]; k++)
            t->dense[i * t->d + t->index[k]] = t->value[k];
    free(t->row);
    free(t->value);
    free(t->index);
    t->row = NULL;
    t->value = NULL;
    t->index = all;
    return t->dense && all ? OK : no_memory(p);
}

static enum status parse(struct parser *p)
{
    for (char *c = p->text, *stop = c + p->length, *end; c < stop; c = end + 1) {
        end = memchr(c, '\n', (size_t)(stop - c));
        end = end ? end : stop;
        p->line++;
        TRY(parse_line(p, c, end));
    }
    if (p->t->n == 0 || p->t->d == 0)
        return why_set(p->why, BAD_INPUT, "%s:%ld: end of file without a %s: expected lines "
                       "label index:value ...", p->name, p->line, p->t->n ? "feature" : "record");
    return dense_make(p);
}

/* --- files */

static void table_clear(struct table *t)
{
    void *const parts[] = { t->label, t->row, t->index, t->value };
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        free(parts[k]);
    free(t->dense);
}

/* path[PATH_MAX] <- the file that name means, all links resolved. */
static enum status resolve(const char *name, char *path, struct why *why)
{
    struct stat s;
    const char *file = name;
    if (stat(file, &s) && strcmp(name, "heart_scale") == 0 && stat(file = DEFAULT_PATH, &s) &&
        stat(file = DEFAULT_PATH ".gz", &s))
        return why_set(why, BAD_INPUT, "%s: no such file, nor " DEFAULT_PATH ": expected a path, "
                       "or the Debian package liblinear-tools", name);
    if (!realpath(file, path) || stat(path, &s))
        return why_set(why, BAD_INPUT, "%s: %s: expected a file of LIBSVM text", shown(name),
                       strerror(errno));
    if (S_ISDIR(s.st_mode))
        return why_set(why, BAD_INPUT, "%s: is a directory: expected a file of LIBSVM text",
                       shown(name));
    if (strlen(path) >= sizeof ((struct table *)0)->path)
        return why_set(why, BAD_INPUT, "%s: expected a shorter path", shown(name));
    return OK;
}

static enum status load(const char *name, const char *path, struct table *t, struct why *why)
{
    struct parser p = { .name = shown(name), .t = t, .why = why };
    errno = 0;
    gzFile file = gzopen(path, "rb");
    if (!file)
        return why_set(why, BAD_INPUT, "%s: %s: expected a readable file", p.name,
                       errno ? strerror(errno) : "cannot be opened");
    enum status s = text_read(&p, file);
    gzclose(file);
    if (s == OK)
        s = parse(&p);
    free(p.text);
    return s;
}

enum status data_table(const char *name, const struct table **table, struct why *why)
{
    char path[PATH_MAX];
    TRY(resolve(name, path, why));
    for (struct loaded *l = cache; l; l = l->next)
        if (strcmp(l->table.path, path) == 0) {
            *table = &l->table;
            return OK;
        }
    struct loaded *l = calloc(1, sizeof *l);
    if (!l)
        return why_set(why, NO_MEMORY, "%s: not enough memory to read it", shown(name));
    memcpy(l->table.path, path, strlen(path) + 1);           /* resolve has checked the length */
    enum status s = load(name, path, &l->table, why);
    if (s != OK) {
        table_clear(&l->table);
        free(l);
        return s;
    }
    l->next = cache;
    cache = l;
    *table = &l->table;
    return OK;
}

enum status data_load(const struct data_request *q, const struct table **table, struct why *why)
{
    return data_table(q->data, table, why);
}

/* --- columns: the same entries, ordered otherwise */

static void columns_free(struct columns *c)
{
    if (c) {
        free(c->dense);
        free(c->column);
        free(c->record);
        free(c->entry);
    }
    free(c);
}

static bool columns_sparse(const struct table *t, struct columns *c)
{
    long *next = c->column = calloc((size_t)t->d + 2, sizeof *next);
    c->record = malloc((size_t)t->nonzeros * sizeof *c->record);
    c->entry = malloc((size_t)t->nonzeros * sizeof *c->entry);
    if (!next || !c->record || !c->entry)
        return false;
    /* next[j+1] is where column j continues; once all is placed, next[j] is where it begins. */
    for (long k = 0; k < t->nonzeros; k++)
        next[t->index[k] + 2]++;
    for (long j = 0; j < t->d; j++)
        next[j + 2] += next[j + 1];
    for (long i = 0; i < t->n; i++)
        for (long k = t->row[i]; k < t->row[i + 1]; k++) {
            long place = next[t->index[k] + 1]++;
            c->record[place] = (int)i;
            c->entry[place] = t->value[k];
        }
    return true;
}

static bool columns_dense(const struct table *t, struct columns *c)
{
    enum { TILE = 32 };
    c->record = counting(t->n);
    c->dense = malloc((size_t)(t->n * t->d) * sizeof *c->dense);
    for (long from = 0; c->dense && from < t->n; from += TILE)
        for (long j = 0; j < t->d; j++)
            for (long i = from; i < t->n && i < from + TILE; i++)
                c->dense[j * t->n + i] = t->dense[i * t->d + j];
    return c->record && c->dense;
}

enum status data_columns(const struct table *t, const struct columns **columns, struct why *why)
{
    struct loaded *l = cache;
    while (l && &l->table != t)
        l = l->next;
    BUG_IF(!l);
    if (!l->columns) {
        struct columns *c = calloc(1, sizeof *c);
        if (c)
            *c = (struct columns){ .n = t->n, .d = t->d };
        if (!c || !(t->dense ? columns_dense(t, c) : columns_sparse(t, c))) {
            columns_free(c);
            return why_set(why, NO_MEMORY, "%.200s: not enough memory for its columns", t->path);
        }
        l->columns = c;
    }
    *columns = l->columns;
    return OK;
}
