/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_read.c - reads a data file into a table: the builder of a table, decimal numbers, the three formats, and how
 * the format of a text is found. The file has more than 700 lines because the formats alone use the builder. */
#include "data/data_read.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/data_reader.h"

/* --- the two forms of a table, turned into each other in place where that is possible */

void table_clear(struct table *t)
{
    free(t->label);
    free(t->block ? t->block : t->dense);
    free(t->row);
    free(t->mean);
    free(t->sd);
    free(t->index);
    free(t->value);
}

/* Returns the array 0, 1, ..., n-1, to be freed; NULL without memory. */
static int *table_counting(long n)
{
    int *k = malloc((size_t)n * sizeof *k);
    for (long i = 0; k && i < n; i++)
        k[i] = (int)i;
    return k;
}

/* Moves the entries to their places in the dense form. There, entry k of row i stands at place i d + index[k],
 * which is at or behind its present place. Entries move from the last one on, so none is overwritten before it has
 * been read. */
bool table_densify(struct table *t)
{
    double *a = realloc(t->value, (size_t)(t->n * t->d) * sizeof *a);
    if (!a)
        return false;
    t->value = NULL;
    t->dense = a;
    int *all = table_counting(t->d);
    for (long i = t->n - 1, k = t->nonzeros - 1; i >= 0; i--)
        for (long j = t->d - 1; j >= 0; j--)
            a[i * t->d + j] = k >= t->row[i] && t->index[k] == j ? a[k--] : 0;
    free(t->row);
    free(t->index);
    t->row = NULL;
    t->index = all;
    return all != NULL;
}

/* Turns a dense table into rows of nonzeros: the reverse of table_densify. Returns false without memory. */
static bool table_sparsify(struct table *t)
{
    int *index = malloc((size_t)(t->nonzeros + 1) * sizeof *index);
    long *row = malloc((size_t)(t->n + 1) * sizeof *row), k = 0;
    if (!index || !row) {
        free(index);
        free(row);
        return false;
    }
    row[0] = 0;
    for (long i = 0; i < t->n; row[++i] = k)
        for (long j = 0; j < t->d; j++)
            if (t->dense[i * t->d + j] != 0) {
                index[k] = (int)j;
                t->dense[k++] = t->dense[i * t->d + j];
            }
    free(t->index);
    t->index = index;
    t->row = row;
    t->value = t->dense;
    t->dense = NULL;
    return true;
}

/* --- The builder: makes a table record by record, dense or sparse by the records seen so far.
 *
 * Arrays grow by realloc, which moves the pages of large arrays without copying them, and pages that have not been
 * written take no memory. So the peak of memory is the table itself if its first records decide the form rightly.
 * If they do not, the table is dense as long as more than half of its entries are nonzero, and then sparse until
 * the last record; builder_end chooses the form by all records. */

enum { COLUMNS_MAX = 1 << 27 };      /* the most columns: a vector of as many doubles takes 1 GiB */

struct builder {
    struct table *t;                 /* its arrays are from malloc; table_clear frees them */
    struct reader *r;                /* for messages */
    size_t labels, rows, entries;    /* capacities. labels: of label; rows: of row; entries: of index and value */
    size_t cells, stride;            /* dense form. cells: capacity in doubles; stride: doubles of a record */
    size_t scratch;
    int *index;                      /* [scratch] a record before it goes into the dense form */
    double *value;
    size_t limit;                    /* bytes: the machine's memory */
    bool sampled;                    /* the first records have decided between the forms */
};

static const size_t SAMPLE = 1 << 16;        /* the form is decided when so many entries, zeros included, have been
                                                read */

static void builder_begin(struct builder *b, struct reader *r, struct table *t)
{
    size_t pages = (size_t)sysconf(_SC_PHYS_PAGES), page = (size_t)sysconf(_SC_PAGESIZE);
    *b = (struct builder){ .t = t, .r = r, .limit = pages * page };
}

static void builder_free(struct builder *b)
{
    free(b->index);
    free(b->value);
}

/* Returns the array, grown to at least n elements. Without memory it returns the old array, and *ok <- false. */
static void *widen(const struct builder *b, void *array, size_t n, size_t size, size_t *capacity,
                   bool *ok)
{
    size_t wanted = *capacity + *capacity / 4 + 64;
    if (n <= *capacity)
        return array;
    wanted = wanted < n ? n : wanted;
    void *grown = n <= b->limit / size ? realloc(array, wanted * size) : NULL;
    if (grown)
        *capacity = wanted;
    *ok &= grown != NULL;
    return grown ? grown : array;
}

static bool cells_reserve(struct builder *b, size_t n)
{
    bool ok = true;
    b->t->dense = widen(b, b->t->dense, n, sizeof *b->t->dense, &b->cells, &ok);
    return ok;
}

/* Grows two arrays of equal length, index and value. */
static bool pair_reserve(const struct builder *b, size_t n, int **index, double **value,
                         size_t *capacity)
{
    bool ok = true;
    size_t before = *capacity;
    *index = widen(b, *index, n, sizeof **index, &before, &ok);
    *value = widen(b, *value, n, sizeof **value, capacity, &ok);
    return ok;
}

/* Makes room for a record of up to `most` entries. The caller fills it: columns from 0, increasing, no value 0.
 * NO_MEMORY; BAD_INPUT beyond INT_MAX records. */
static enum status builder_record(struct builder *b, size_t most, int **index, double **value)
{
    struct table *t = b->t;
    size_t n = (size_t)t->n, used = (size_t)t->nonzeros;
    bool ok = true;
    if (t->n == INT_MAX)
        return reader_bad(b->r, "expected at most %d records", INT_MAX);
    t->label = widen(b, t->label, n + 1, sizeof *t->label, &b->labels, &ok);
    if (t->dense) {
        ok = ok && cells_reserve(b, (n + 1) * b->stride) &&
             pair_reserve(b, most + 1, &b->index, &b->value, &b->scratch);
        *index = b->index;
        *value = b->value;
    } else {
        t->row = widen(b, t->row, n + 2, sizeof *t->row, &b->rows, &ok);
        ok = ok && pair_reserve(b, used + most + 1, &t->index, &t->value, &b->entries);
        *index = ok ? t->index + used : NULL;
        *value = ok ? t->value + used : NULL;
    }
    return ok ? OK : reader_no_memory(b->r);
}

static bool mostly_nonzero(const struct table *t) { return t->nonzeros > t->n * t->d / 2; }

/* Turns n rows of `from` doubles into rows of `to` doubles, in place. If rows become longer, they move from the
 * last one on, and end with zeros. */
static void restride(double *a, size_t n, size_t from, size_t to)
{
    if (to > from)
        for (size_t i = n; i-- > 0;) {
            memmove(a + i * to, a + i * from, from * sizeof *a);
            memset(a + i * to + from, 0, (to - from) * sizeof *a);
        }
    else
        for (size_t i = 0; i < n && to < from; i++)
            memmove(a + i * to, a + i * from, to * sizeof *a);
}

/* Makes the stride at least `width`, and an eighth longer than it was, so that the whole table seldom moves where
 * records keep growing. */
static bool stride_widen(struct builder *b, long width)
{
    size_t n = (size_t)b->t->n, wider = b->stride + b->stride / 8;
    wider = wider < (size_t)width ? (size_t)width : wider;
    if (!cells_reserve(b, (n + 1) * wider))
        return false;
    restride(b->t->dense, n, b->stride, wider);
    b->stride = wider;
    return true;
}

/* Turns rows of nonzeros into the dense form. Returns false without memory. */
static bool dense_begin(struct builder *b)
{
    struct table *t = b->t;
    b->entries = b->rows = 0;
    b->stride = (size_t)t->d;
    b->cells = (size_t)(t->n * t->d);
    return table_densify(t);
}

/* Turns the dense form into rows of nonzeros. Returns false without memory. */
static bool dense_end(struct builder *b)
{
    struct table *t = b->t;
    restride(t->dense, (size_t)t->n, b->stride, (size_t)t->d);
    b->cells = b->stride = 0;
    b->entries = (size_t)t->nonzeros;
    b->rows = (size_t)t->n + 1;
    return table_sparsify(t);
}

/* Puts the record in b->index and b->value into the dense form. If the record is so wide that at most half of the
 * entries of the table would be nonzero, the table becomes sparse, and the record becomes its last row. */
static enum status close_dense(struct builder *b, long count, long width)
{
    struct table *t = b->t;
    int *index;
    double *value;
    if ((size_t)width > b->stride && t->nonzeros + count <= (t->n + 1) * width / 2) {
        if (!dense_end(b))
            return reader_no_memory(b->r);
        TRY(builder_record(b, (size_t)count, &index, &value));
        memcpy(index, b->index, (size_t)count * sizeof *index);
        memcpy(value, b->value, (size_t)count * sizeof *value);
        return OK;
    }
    if ((size_t)width > b->stride && !stride_widen(b, width))
        return reader_no_memory(b->r);
    double *row = t->dense + (size_t)t->n * b->stride;
    memset(row, 0, b->stride * sizeof *row);
    for (long k = 0; k < count; k++)
        row[b->index[k]] = b->value[k];
    return OK;
}

/* Adds the record that builder_record made room for and the caller has filled: `count` entries, in columns below
 * `width`. NO_MEMORY. */
static enum status builder_close(struct builder *b, double label, long count, long width)
{
    struct table *t = b->t;
    if (t->dense)
        TRY(close_dense(b, count, width));
    t->d = width > t->d ? width : t->d;
    t->label[t->n++] = label;
    if (!t->dense) {
        t->row[t->n - 1] = t->nonzeros;
        t->row[t->n] = t->nonzeros + count;
    }
    t->nonzeros += count;
    bool ok = true;
    if (t->dense && !mostly_nonzero(t))
        ok = dense_end(b);
    else if (!b->sampled && (size_t)t->n * (size_t)t->d >= SAMPLE) {
        b->sampled = true;
        ok = !mostly_nonzero(t) || dense_begin(b);
    }
    return ok ? OK : reader_no_memory(b->r);
}

/* Shortens the array to n elements and returns it; if that fails, returns the array as it is. */
static void *fit(void *array, size_t n, size_t size)
{
    void *same = array && n > 0 ? realloc(array, n * size) : NULL;
    return same ? same : array;
}

/* Does what `fit` does for a dense table, which then begins at a cache line: rows that cross cache lines take a
 * quarter longer. Returns false without memory. */
static bool fit_dense(struct builder *b, size_t n)
{
    enum { LINE = 64, SLACK = LINE / sizeof(double) };
    struct table *t = b->t;
    if (!cells_reserve(b, n + SLACK))
        return false;
    t->block = fit(t->dense, n + SLACK, sizeof *t->dense);
    t->dense = (double *)(((uintptr_t)t->block + LINE - 1) / LINE * LINE);
    memmove(t->dense, t->block, n * sizeof *t->dense);
    return true;
}

/* Completes the table: gives every array its final length, and the table the form that all records together decide.
 * NO_MEMORY. */
static enum status builder_end(struct builder *b)
{
    struct table *t = b->t;
    size_t n = (size_t)t->n, d = (size_t)t->d, k = (size_t)t->nonzeros;
    bool ok = true;
    if (t->dense)
        restride(t->dense, n, b->stride, d);
    else if (mostly_nonzero(t))
        ok = dense_begin(b);
    if (t->dense) {                          /* there may be more columns now than when index was made */
        free(t->index);
        t->index = table_counting(t->d);
        ok = ok && t->index && fit_dense(b, n * d);
    }
    if (!ok)
        return reader_no_memory(b->r);
    t->label = fit(t->label, n, sizeof *t->label);
    t->row = fit(t->row, n + 1, sizeof *t->row);
    t->index = fit(t->index, t->dense ? d : k, sizeof *t->index);
    t->value = fit(t->value, k, sizeof *t->value);
    return OK;
}

/* --- formats */

/* A format puts the records of a reader into a builder. */
struct format {
    const char *name;
    /* BAD_INPUT names the line; a file without a record, or without a feature, is BAD_INPUT too. NO_MEMORY. */
    enum status (*parse)(struct reader *r, struct builder *b);
};

static inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
static inline bool is_digit(char c) { return (unsigned)(c - '0') < 10; }

/* --- Decimal numbers, fast and correctly rounded.
 *
 * A mantissa below 2^53 and a power of ten up to 10^22 are exact doubles, so their product or quotient, which
 * rounds once, is the nearest double (Clinger 1990). In the extended format of x86 a mantissa below 2^64 and a
 * power up to 10^27 are exact, but a second rounding to 53 bits follows. Midpoints of doubles are numbers of 64
 * bits, and rounding is monotone; so the second rounding is wrong only if the first result is a midpoint. strtod
 * reads all other numbers; on a machine without the extended format these are more. */

static const double ten[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
    1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
#if LDBL_MANT_DIG == 64
static const long double extended_ten[] = { 1e0L, 1e1L, 1e2L, 1e3L, 1e4L, 1e5L, 1e6L, 1e7L, 1e8L,
    1e9L, 1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L,
    1e23L, 1e24L, 1e25L, 1e26L, 1e27L };

/* *value <- the double nearest to mantissa * 10^power, computed in the extended format of x86. Returns false where
 * the result is not certain to be the nearest. */
static bool scaled_extended(uint64_t mantissa, long power, double *value)
{
    if (power < -27 || power > 27)
        return false;
    long double q = power < 0 ? (long double)mantissa / extended_ten[-power]
                              : (long double)mantissa * extended_ten[power];
    uint64_t bits;
    memcpy(&bits, &q, sizeof bits);
    *value = (double)q;
    return (bits & 0x7ff) != 0x400;
}
#else
static bool scaled_extended(uint64_t mantissa, long power, double *value) { return false; }
#endif

/* *value <- the double nearest to mantissa * 10^power, where the mantissa has at most 19 digits. Returns false
 * where the result is not certain to be the nearest. */
static bool scaled(uint64_t mantissa, long power, double *value)
{
    if (mantissa <= 1ull << 53 && power >= -22 && power <= 22) {
        *value = power < 0 ? (double)mantissa / ten[-power] : (double)mantissa * ten[power];
        return true;
    }
    return scaled_extended(mantissa, power, value);
}

/* Reads an exponent at *c: e, a sign and digits. Returns it, clamped; *c <- the text behind it, or NULL if there is
 * no digit. */
static long exponent(const char **c)
{
    const char *s = *c + 1;
    bool minus = *s == '-';
    long e = 0;
    s += minus || *s == '+';
    *c = is_digit(*s) ? s : NULL;
    for (; is_digit(*s); *c = ++s)
        e = e < 100000 ? e * 10 + (*s - '0') : e;
    return minus ? -e : e;
}

/* *value <- the double nearest to the decimal number at the beginning of s; infinity beyond the range. Returns the
 * text behind the number, or NULL if s does not begin with one: nan, inf and hexadecimal numbers are not
 * decimal. */
static const char *decimal(const char *s, double *value)
{
    const char *c = s;
    bool minus = *c == '-';
    c += minus || *c == '+';
    uint64_t mantissa = 0;
    const char *first = c;
    for (; is_digit(*c); c++)
        mantissa = mantissa * 10 + (uint64_t)(*c - '0');
    ptrdiff_t digits = c - first;
    long power = 0;
    if (*c == '.') {
        const char *point = ++c;
        for (; is_digit(*c); c++)
            mantissa = mantissa * 10 + (uint64_t)(*c - '0');
        power = point - c;
        digits += c - point;
    }
    if (digits == 0)
        return NULL;
    if (*c == 'e' || *c == 'E') {
        power += exponent(&c);
        if (!c)
            return NULL;
    }
    double v;
    if (digits > 19 || !scaled(mantissa, power, &v))
        *value = strtod(s, NULL);            /* strtod reads the same characters: the syntax is checked */
    else
        *value = minus ? -v : v;
    return c;
}

/* *value <- the number at s, which must end before a blank, a NUL or `end`. Returns the text behind the number;
 * NULL where there is none, or it is not finite. */
static const char *format_number(const char *s, char end, double *value)
{
    const char *c = decimal(s, value);
    return c && (*c == 0 || is_blank(*c) || *c == end) && isfinite(*value) ? c : NULL;
}

/* --- CSV: a target and features. The separator is the one of , ; tab that occurs most often in the first line. */

struct csv {
    char separator;
    long fields, first;              /* fields in every line; the number of the first line */
};

static const char *skip_spaces(const char *c) { return c + strspn(c, " "); }

/* Returns the end of the field at c: a separator, or the end of the line. Within quotes nothing separates. */
static const char *field_end(const char *c, char separator)
{
    for (bool inside = false; *c && (inside || *c != separator); c++)
        inside ^= *c == '"';
    return c;
}

static long fields_of(const char *line, char separator)
{
    long fields = 1;
    for (const char *c = field_end(line, separator); *c; c = field_end(c + 1, separator))
        fields++;
    return fields;
}

/* *value <- the number in the field at c, which may be in quotes. Returns the end of the field; NULL where the
 * field is not a number. */
static inline const char *field_number(const char *c, char separator, double *value)
{
    while (*c == ' ')
        c++;
    bool quote = *c == '"';
    c = format_number(c + quote, quote ? '"' : separator, value);
    if (c && quote)
        c = *c == '"' ? c + 1 : NULL;
    if (c && *c == ' ')
        c = skip_spaces(c);
    return c && (*c == separator || *c == 0) ? c : NULL;
}

static enum status field_bad(struct reader *r, const struct csv *f, const char *c, long k)
{
    const char *s = skip_spaces(c), *end = field_end(c, f->separator);
    if (s >= end)
        return reader_bad(r, "field %ld is empty: expected %s, a finite decimal number", k,
                          k == 1 ? "a target" : "a feature");
    return reader_bad(r, "field %ld '%s': expected %s, a finite decimal number", k,
                      quoted(s, (size_t)(end - s)).text, k == 1 ? "a target" : "a feature");
}

/* Does the line contain a number? A first line without a number is a header. */
static bool has_number(const char *line, char separator)
{
    double v;
    for (const char *c = line;; c++) {
        if (field_number(c, separator, &v))
            return true;
        c = field_end(c, separator);
        if (*c == 0)
            return false;
    }
}

static enum status csv_shape(struct reader *r, const char *line, struct csv *f)
{
    for (const char *s = ",;\t"; *s; s++)
        if (fields_of(line, *s) > f->fields)
            *f = (struct csv){ *s, fields_of(line, *s), r->line };
    if (f->fields < 2)
        return reader_bad(r, "a single field: expected a target and features, separated by , ; "
                          "or tab");
    if (f->fields - 1 > COLUMNS_MAX)
        return reader_bad(r, "%ld fields: expected at most %d features", f->fields, COLUMNS_MAX);
    return OK;
}

static enum status csv_record(struct reader *r, struct builder *b, const struct csv *f,
                          const char *line)
{
    double target, v;
    long count = 0, k = 1;
    int *index;
    double *value;
    const char *c = field_number(line, f->separator, &target), *next;
    if (!c)
        return field_bad(r, f, line, 1);
    TRY(builder_record(b, (size_t)f->fields, &index, &value));
    for (; *c && k < f->fields; c = next, k++) {
        next = field_number(c + 1, f->separator, &v);
        if (!next)
            return field_bad(r, f, c + 1, k + 1);
        index[count] = (int)(k - 1);
        value[count] = v;
        count += v != 0;
    }
    if (*c || k < f->fields)
        return reader_bad(r, "%ld fields: expected %ld, as in line %ld",
                          fields_of(line, f->separator), f->fields, f->first);
    return builder_close(b, target, count, f->fields - 1);
}

static enum status csv_parse(struct reader *r, struct builder *b)
{
    struct csv f = { 0 };
    char *line;
    size_t n;
    for (;;) {
        TRY(reader_line(r, &line, &n));
        if (!line)
            break;
        const char *c = skip_spaces(line);
        if (*c == 0 || *c == '#')
            continue;
        bool first = f.fields == 0;
        if (first)
            TRY(csv_shape(r, line, &f));
        if (!first || has_number(line, f.separator))
            TRY(csv_record(r, b, &f, line));
    }
    return b->t->n ? OK : reader_bad(r, "end of file without a record: expected lines "
                                     "target,feature,...");
}

static const struct format format_csv = { "csv", csv_parse };

/* --- FANN, the training files of that library: `records inputs outputs`, then for each record a line of inputs and
 * a line of outputs */

/* *line <- the next line that is not blank, NULL after the last. */
static enum status next_line(struct reader *r, const char **line)
{
    char *text;
    size_t n;
    do {
        TRY(reader_line(r, &text, &n));
        *line = text ? text + strspn(text, " \t") : NULL;
    } while (*line && **line == 0);
    return OK;
}

/* *value <- the next number at *c; *c <- the text behind it, or NULL at the end of the line. */
static enum status next_number(struct reader *r, const char **c, const char *what, double *value)
{
    const char *s = *c;
    while (is_blank(*s))
        s++;
    *c = NULL;
    if (*s == 0)
        return OK;
    *c = format_number(s, 0, value);
    return *c ? OK : reader_bad(r, "'%s': expected %s, a finite decimal number",
                                quoted(s, strcspn(s, " \t")).text, what);
}

static enum status count_bad(struct reader *r, long count, long expected, const char *what)
{
    return reader_bad(r, "%s%ld %s: expected %ld", count > expected ? "more than " : "",
                      count > expected ? expected : count, what, expected);
}

struct fann { long records, inputs, outputs; };

static enum status fann_header(struct reader *r, struct fann *f)
{
    const char *c;
    double v[3] = { 0 }, most[3] = { INT_MAX, COLUMNS_MAX, COLUMNS_MAX }, more;
    TRY(next_line(r, &c));
    bool good = c != NULL;
    for (int k = 0; k < 3 && c; k++) {
        TRY(next_number(r, &c, "records inputs outputs", &v[k]));
        good &= c && v[k] >= 1 && v[k] <= most[k] && v[k] == (double)(long)v[k];
    }
    if (c)
        TRY(next_number(r, &c, "the end of the line", &more));
    if (!good || c)
        return reader_bad(r, "expected a first line of three whole numbers from 1: records inputs "
                          "outputs");
    *f = (struct fann){ (long)v[0], (long)v[1], (long)v[2] };
    return OK;
}

static enum status fann_inputs(struct reader *r, struct builder *b, const struct fann *f, const char *c,
                          long *count)
{
    long k = 0;
    int *index;
    double *value, v;
    TRY(builder_record(b, (size_t)f->inputs, &index, &value));
    for (*count = 0;; k++) {
        TRY(next_number(r, &c, "an input", &v));
        if (!c || k == f->inputs)
            break;
        index[*count] = (int)k;
        value[*count] = v;
        *count += v != 0;
    }
    return c || k < f->inputs ? count_bad(r, k + (c != NULL), f->inputs, "inputs") : OK;
}

/* *label <- the label of a record. A single output is the label. Of several outputs the largest gives the class, if
 * all others are equal; else the outputs are not the code of a class, and the result is BAD_INPUT. */
static enum status fann_outputs(struct reader *r, const struct fann *f, const char *c, double *label)
{
    double v, least = INFINITY, most = -INFINITY;
    long k = 0, class = 0, at_least = 0, at_most = 0;
    for (;; k++) {
        TRY(next_number(r, &c, "an output", &v));
        if (!c || k == f->outputs)
            break;
        if (v > most)
            class = k;
        at_most = v > most ? 1 : at_most + (v == most);
        at_least = v < least ? 1 : at_least + (v == least);
        most = fmax(most, v);
        least = fmin(least, v);
    }
    if (c || k < f->outputs)
        return count_bad(r, k + (c != NULL), f->outputs, "outputs");
    if (k > 1 && (at_most != 1 || at_least != k - 1))
        return reader_bad(r, "%ld outputs that are no class: expected one above the others, which "
                          "are equal", k);
    *label = k == 1 ? most : (double)class;
    return OK;
}

static enum status fann_parse(struct reader *r, struct builder *b)
{
    struct fann f = { 0 };
    const char *c;
    long count;
    double label = 0;
    TRY(fann_header(r, &f));
    for (long i = 0; i < f.records; i++) {
        TRY(next_line(r, &c));
        if (c) {
            TRY(fann_inputs(r, b, &f, c, &count));
            TRY(next_line(r, &c));
        }
        if (!c)
            return reader_bad(r, "end of file after %ld of %ld records", i, f.records);
        TRY(fann_outputs(r, &f, c, &label));
        TRY(builder_close(b, label, count, f.inputs));
    }
    TRY(next_line(r, &c));
    return c ? reader_bad(r, "expected the end of the file after %ld records", f.records) : OK;
}

static const struct format format_fann = { "fann", fann_parse };

/* --- LIBSVM: `label index:value ...`, indices from 1, increasing; # begins a comment */

static enum status number_bad(struct reader *r, const char *token, const char *what)
{
    return reader_bad(r, "'%s': expected %s, a finite decimal number",
                      quoted(token, strcspn(token, " \t")).text, what);
}

/* Refuses a token that does not begin with an index above `last` and a colon. */
static enum status index_bad(struct reader *r, const char *token, long last)
{
    size_t n = strcspn(token, " \t");
    const char *colon = memchr(token, ':', n), *c = token + (n > 1 && *token == '-');
    struct quoted q = quoted(token, n);
    if (!colon)
        return reader_bad(r, "'%s': expected index:value", q.text);
    if (strncmp(token, "qid:", 4) == 0)
        return reader_bad(r, "'%s': qid is not supported, expected index:value", q.text);
    double value = 0;
    if (colon == token || c + strspn(c, "0123456789") != colon)
        return reader_bad(r, "'%s': expected a whole number before ':'", q.text);
    decimal(token, &value);
    if (value < 1 || value > COLUMNS_MAX)
        return reader_bad(r, "'%s': expected an index from 1 to %d, where a vector takes 1 GiB",
                          q.text, COLUMNS_MAX);
    return reader_bad(r, "'%s': expected an index above %ld, the one before", q.text, last);
}

static enum status libsvm_record(struct reader *r, struct builder *b, char *line, size_t n)
{
    char *comment = memchr(line, '#', n);
    double label, v;
    long last = 0, count = 0;
    int *index;
    double *value;
    if (comment)
        *comment = 0;
    const char *c = line + strspn(line, " \t");
    if (*c == 0)
        return OK;
    const char *next = format_number(c, 0, &label);
    if (!next)
        return number_bad(r, c, "a label");
    TRY(builder_record(b, n / 4 + 1, &index, &value));       /* an entry has at least 4 bytes: " 1:1" */
    for (c = next;; c = next) {
        while (is_blank(*c))
            c++;
        if (*c == 0)
            break;
        const char *digit = c;
        long column = 0;
        for (; is_digit(*digit); digit++)
            column = column <= COLUMNS_MAX ? column * 10 + (*digit - '0') : column;
        if (*digit != ':' || column <= last || column > COLUMNS_MAX)
            return index_bad(r, c, last);
        next = format_number(digit + 1, 0, &v);
        if (!next)
            return number_bad(r, c, "a value after ':'");
        index[count] = (int)(column - 1);
        value[count] = v;
        count += v != 0;
        last = column;
    }
    return builder_close(b, label, count, last);
}

static enum status libsvm_parse(struct reader *r, struct builder *b)
{
    char *line;
    size_t n;
    for (;;) {
        TRY(reader_line(r, &line, &n));
        if (!line)
            break;
        TRY(libsvm_record(r, b, line, n));
    }
    if (b->t->n == 0 || b->t->d == 0)
        return reader_bad(r, "end of file without a %s: expected lines label index:value ...",
                          b->t->n ? "feature" : "record");
    return OK;
}

static const struct format format_libsvm = { "libsvm", libsvm_parse };

/* --- How the format of a text is found.
 *
 * Three whole numbers between spaces are the first line of FANN: CSV has other separators, and in LIBSVM all words
 * but the label have a colon. */

/* Returns the first line that is neither blank nor a comment. It ends with LF, NUL or #. */
static const char *telling_line(const char *c)
{
    for (;;) {
        c += strspn(c, " \t\r\n");
        if (*c != '#')
            return c;
        c += strcspn(c, "\n");
    }
}

static bool is_whole(const char *s, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!is_digit(s[k]))
            return false;
    return n > 0;
}

static bool is_fann(const char *c)
{
    int words = 0;
    for (; *c && *c != '\n' && *c != '\r'; words++) {
        size_t n = strcspn(c, " \r\n");
        if (!is_whole(c, n))
            return false;
        c += n + strspn(c + n, " ");
    }
    return words == 3;
}

/* Does the second word begin with a whole number and a colon? */
static bool is_libsvm(const char *c)
{
    c += strcspn(c, " \t\r\n#");
    c += strspn(c, " \t");
    size_t n = strcspn(c, ": \t\r\n");
    return c[n] == ':' && is_whole(c, n);
}

/* Returns the format of this name. For any or NULL it is found by the first line that is neither blank nor a
 * comment. Returns NULL where there is no such name. */
static const struct format *format_of(const char *name, const struct reader *r)
{
    static const struct format *const all[] = { &format_libsvm, &format_csv, &format_fann };
    for (size_t k = 0; name && k < sizeof all / sizeof *all; k++)
        if (strcmp(all[k]->name, name) == 0)
            return all[k];
    if (name && strcmp(name, "any"))
        return NULL;
    const char *c = telling_line(r->buffer + r->begin);
    if (is_fann(c))
        return &format_fann;
    bool separated = strchr(",;\t", c[strcspn(c, ",;\t\n#")]) && c[0];
    return separated && !is_libsvm(c) ? &format_csv : &format_libsvm;
}

enum status data_read(const char *path, const char *name, const char *format, struct table *t,
                      struct why *why)
{
    struct reader r;
    struct builder b;
    enum status s = reader_open(&r, path, path_shown(name), why);
    builder_begin(&b, &r, t);
    if (s == OK) {
        const struct format *f = format_of(format, &r);
        s = f ? f->parse(&r, &b)
              : why_set(why, BAD_INPUT, "%s: format '%.40s': expected any, libsvm, csv or fann",
                        r.name, format);
    }
    if (s == OK)
        s = builder_end(&b);
    if (s == OK)
        t->checksum = XXH3_64bits_digest(r.checksum);
    builder_free(&b);
    reader_close(&r);
    return s;
}
