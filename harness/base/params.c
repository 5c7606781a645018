/* SPDX-License-Identifier: GPL-3.0-or-later */
/* params.c - reads and writes parameter structs by their tables, numbers as text, and the distance of words. */
#include "base/params.h"

#include <ctype.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void params_default(const struct param *table, void *params)
{
    for (const struct param *p = table; p && p->name; p++) {
        void *member = (char *)params + p->offset;
        if (p->type == PARAM_TEXT)
            *(const char **)member = p->text;
        else if (p->type == PARAM_COUNT)
            *(long *)member = (long)p->def;
        else
            *(double *)member = p->def;
    }
}

const struct param *params_find(const struct param *table, const char *name)
{
    for (const struct param *p = table; p && p->name; p++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

/* Row i has the distances of the first i letters of a from the first j letters of b, for all j. A distance is at least
 * |i - j|, so that only `from` <= j <= `to`, where |i - j| is at most `limit`, are computed. */
int word_distance(const char *a, const char *b, int limit)
{
    enum { LONGEST = 127 };
    int rows[3][LONGEST + 2], *before = rows[0], *above = rows[1], *row = rows[2];
    int m = (int)strnlen(a, LONGEST + 1), n = (int)strnlen(b, LONGEST + 1);
    int least = 0, least_above;                  /* of a row and of the row above it */
    if (m > LONGEST || n > LONGEST || abs(m - n) >= limit)
        return limit;
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; i <= m; i++) {
        int *spare = before, from = i > limit ? i - limit : 1, to = i + limit < n ? i + limit : n;
        before = above;
        above = row;
        row = spare;
        row[from - 1] = from == 1 ? i : limit;
        least_above = least;
        least = row[from - 1];
        for (int j = from; j <= to; j++) {
            int replace = above[j - 1] + (a[i - 1] != b[j - 1]);
            int edit = 1 + (row[j - 1] < above[j] ? row[j - 1] : above[j]);
            row[j] = replace < edit ? replace : edit;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && before[j - 2] + 1 < row[j])
                row[j] = before[j - 2] + 1;
            least = row[j] < least ? row[j] : least;
        }
        row[to + 1] = limit;
        if (least >= limit && least_above >= limit)      /* no later row has a smaller number */
            return limit;
    }
    return row[n];
}

const char *params_nearest(const struct param *table, const char *name)
{
    const char *best = NULL;
    int least = 3;
    for (const struct param *p = table; p && p->name; p++) {
        int k = word_distance(name, p->name, least);
        if (k < least) {
            least = k;
            best = p->name;
        }
    }
    return best;
}

static enum status out_of_range(const struct param *p, double v, const char *who, struct why *why)
{
    const char *unit = strcmp(p->unit, "1") == 0 ? "" : p->unit;
    return why_set(why, BAD_INPUT, "%s.%s = %g: expected %s%g <= %s <= %g%s%s", who, p->name, v,
                   p->type == PARAM_COUNT ? "an integer, " : "", p->lo, p->name, p->hi,
                   *unit ? " " : "", unit);
}

enum status params_set(const struct param *p, void *params, double v, const char *who,
                       struct why *why)
{
    if (p->type == PARAM_TEXT)
        return why_set(why, BAD_INPUT, "%s.%s = %g: expected a word", who, p->name, v);
    if (!(v >= p->lo && v <= p->hi))
        return out_of_range(p, v, who, why);
    if (p->type == PARAM_REAL) {
        *(double *)((char *)params + p->offset) = v;
        return OK;
    }
    if (v != rint(v) || fabs(v) > 0x1p53)
        return out_of_range(p, v, who, why);
    *(long *)((char *)params + p->offset) = (long)v;
    return OK;
}

/* Is `word` one of "a|b|c"? */
static bool is_choice(const char *choices, const char *word)
{
    size_t n = strlen(word);
    if (strchr(word, '|'))
        return false;
    for (const char *c = choices; c; c = strchr(c, '|') ? strchr(c, '|') + 1 : NULL)
        if (strncmp(c, word, n) == 0 && (c[n] == '|' || c[n] == 0))
            return true;
    return false;
}

enum status params_set_text(const struct param *p, void *params, const char *text,
                            const char *who, struct why *why)
{
    double v;
    if (p->type == PARAM_TEXT) {
        if (p->choices && !is_choice(p->choices, text))
            return why_set(why, BAD_INPUT, "%s.%s = '%s': expected one of %s", who, p->name, text,
                           p->choices);
        *(const char **)((char *)params + p->offset) = text;
        return OK;
    }
    if (!number_parse(text, &v))
        return why_set(why, BAD_INPUT, "%s.%s = '%s': expected a number", who, p->name, text);
    return params_set(p, params, v, who, why);
}

double params_get(const struct param *p, const void *params)
{
    const void *member = (const char *)params + p->offset;
    if (p->type == PARAM_TEXT)
        return NAN;
    return p->type == PARAM_COUNT ? (double)*(const long *)member : *(const double *)member;
}

bool number_parse(const char *text, double *value)
{
    char *end;
    if (!*text || isspace((unsigned char)*text) || !strpbrk(text, "0123456789iI"))
        return false;
    bool infinite = strcasecmp(text, "inf") == 0 || strcasecmp(text, "-inf") == 0;
    if (strpbrk(text, "xXpPnN") && !infinite)
        return false;
    double v = strtod(text, &end), w;
    if (end == text)
        return false;
    if (*end == '^' || *end == '/') {
        char operator = *end, *start = end + 1;
        w = strtod(start, &end);
        if (end == start || isspace((unsigned char)*start))
            return false;
        v = operator == '^' ? pow(v, w) : v / w;
    }
    if (*end || isnan(v) || (isinf(v) && !infinite))     /* 1e999 and 1/0 are refused: infinity is written inf */
        return false;
    *value = v;
    return true;
}

/* Returns a lower bound of the number of digits that distinguish v from other doubles. Every decimal of up to 15
 * digits survives the conversion to a normal double and back. So if 15 digits do not give v, at least 16 are
 * needed; if they do, those without trailing zeros suffice. */
static int digits_of(double v)
{
    char text[32];
    int digits = DBL_DIG;
    if (!isnormal(v))
        return 1;
    snprintf(text, sizeof text, "%.*e", DBL_DIG - 1, v);
    if (strtod(text, NULL) != v)
        return DBL_DIG + 1;
    for (const char *last = strchr(text, 'e') - 1; digits > 1 && *last == '0'; last--)
        digits--;
    return digits;
}

/* Writes 40, 65536, 1e6, 0.1, 2.5e-8: small integers have no exponent, and exponents are not padded. */
const char *number_text(double v, char buffer[32])
{
    char text[32], *to = buffer;
    if (v == rint(v) && fabs(v) < 1e6 && !(v == 0 && signbit(v))) {
        snprintf(buffer, 32, "%d", (int)v);          /* most numbers in cells; 100000 is never written as 1e5 */
        return buffer;
    }
    for (int digits = digits_of(v); digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, v);
        if (strtod(text, NULL) == v)
            break;
    }
    for (const char *c = text; (*to++ = *c); c++)
        if (*c == 'e') {
            if (*++c == '-')
                *to++ = '-';
            while (c[1] == '0')
                c++;
        }
    return buffer;
}
