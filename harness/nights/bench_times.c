/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_times.c - times of kernels from Google Benchmark's JSON. */
#include "nights/bench_times.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nights/gbench.h"
#include "base/params.h"

enum { DEEP = 32, NUMBER = 64, FOUND_MOST = 4 };

struct reader { const char *at, *end; long line; const char *expected; };     /* expected: when it failed */

/* One repetition. */
struct repetition { char name[128]; double seconds; };
struct repetitions { struct repetition *of; int n; };

/* --- JSON: only what must be told apart */

static bool fail(struct reader *r, const char *expected)
{
    r->expected = r->expected ? r->expected : expected;
    return false;
}

static char peek(struct reader *r)
{
    for (; r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at; r->at++)
        r->line += *r->at == '\n';
    return r->at < r->end ? *r->at : 0;
}

static bool take(struct reader *r, char c, const char *expected)
{
    if (peek(r) != c || r->at >= r->end)
        return fail(r, expected);
    r->at++;
    return true;
}

/* What is longer than the room is cut; of an escape its letter stays. */
static bool string(struct reader *r, char *text, size_t room)
{
    size_t n = 0;
    if (!take(r, '"', "a string"))
        return false;
    for (; r->at < r->end && *r->at != '"' && *r->at != '\n'; r->at++) {
        if (*r->at == '\\' && ++r->at == r->end)
            break;
        if (n + 1 < room)
            text[n++] = *r->at;
    }
    text[n] = 0;
    return (r->at < r->end && *r->at == '"') ? r->at++ != NULL : fail(r, "the end of a string");
}

/* A number, true, false or null. */
static bool word(struct reader *r, char text[NUMBER])
{
    size_t n = 0;
    peek(r);
    for (; r->at < r->end && !strchr(",]} \t\r\n", *r->at) && *r->at; r->at++)
        if (n + 1 < NUMBER)
            text[n++] = *r->at;
    text[n] = 0;
    return n > 0 || fail(r, "a value");
}

static bool skip(struct reader *r, int depth);

/* Calls each member's reader with the reader behind its colon. */
static bool members(struct reader *r, int depth, bool (*each)(struct reader *r, int depth, const char *key, void *ctx),
                    void *ctx)
{
    char key[NUMBER];
    if (!take(r, '{', "an object"))
        return false;
    if (peek(r) == '}')
        return take(r, '}', "");
    do
        if (!string(r, key, sizeof key) || !take(r, ':', "a colon") || !each(r, depth, key, ctx))
            return false;
    while (peek(r) == ',' && take(r, ',', ""));
    return take(r, '}', "a comma or the end of the object");
}

static bool elements(struct reader *r, int depth, bool (*each)(struct reader *r, int depth, void *ctx), void *ctx)
{
    if (!take(r, '[', "a list"))
        return false;
    if (peek(r) == ']')
        return take(r, ']', "");
    do
        if (!each(r, depth, ctx))
            return false;
    while (peek(r) == ',' && take(r, ',', ""));
    return take(r, ']', "a comma or the end of the list");
}

static bool skip_member(struct reader *r, int depth, const char *key, void *ctx) { return skip(r, depth); }
static bool skip_element(struct reader *r, int depth, void *ctx) { return skip(r, depth); }

static bool skip(struct reader *r, int depth)
{
    char text[NUMBER];
    char c = peek(r);
    if (depth > DEEP)
        return fail(r, "fewer levels");
    return c == '{' ? members(r, depth + 1, skip_member, NULL)
         : c == '[' ? elements(r, depth + 1, skip_element, NULL)
         : c == '"' ? string(r, text, sizeof text) : word(r, text);
}

/* --- benchmarks */

struct one {
    char name[128], type[16], unit[8];
    double time;
    bool failed;
    int found;                       /* times that the case found by itself, seconds */
    struct { char of[NUMBER]; double seconds; } at[FOUND_MOST];
};

static bool of_found(struct reader *r, const char *of, struct one *o)
{
    char text[NUMBER];
    if (o->found == FOUND_MOST)
        return fail(r, "fewer times of one benchmark");
    snprintf(o->at[o->found].of, NUMBER, "%s", of);
    return word(r, text) && (number_parse(text, &o->at[o->found++].seconds) || fail(r, "a number of seconds"));
}

static bool of_one(struct reader *r, int depth, const char *key, void *ctx)
{
    struct one *o = ctx;
    char text[NUMBER];
    if (strcmp(key, "name") == 0)
        return string(r, o->name, sizeof o->name);
    if (strcmp(key, "run_type") == 0)
        return string(r, o->type, sizeof o->type);
    if (strcmp(key, "time_unit") == 0)
        return string(r, o->unit, sizeof o->unit);
    if (strcmp(key, "cpu_time") == 0)
        return word(r, text) && (number_parse(text, &o->time) || fail(r, "a number for cpu_time"));
    if (strcmp(key, "error_occurred") == 0) {
        bool good = word(r, text);
        o->failed = strcmp(text, "true") == 0;
        return good;
    }
    if (strncmp(key, GBENCH_TIME_OF, strlen(GBENCH_TIME_OF)) == 0)
        return of_found(r, key + strlen(GBENCH_TIME_OF), o);
    return skip(r, depth);
}

static double seconds_of(const char *unit)
{
    static const struct { const char *name; double seconds; } units[] = {
        { "ns", 1e-9 }, { "us", 1e-6 }, { "ms", 1e-3 }, { "s", 1 } };
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strcmp(unit, units[k].name) == 0)
            return units[k].seconds;
    return NAN;
}

static void add(struct repetitions *list, double seconds, const char *name, int length, const char *rest)
{
    list->of = realloc(list->of, (size_t)(list->n + 1) * sizeof *list->of);
    BUG_IF(!list->of);
    struct repetition *s = &list->of[list->n++];
    snprintf(s->name, sizeof s->name, "%.*s%s", length, name, rest);
    for (char *c = s->name; *c; c++)
        *c = (unsigned char)*c < 32 ? ' ' : *c;
    s->seconds = seconds;
}

/* Means, deviations and the like of the repetitions are no times of their own. */
static bool benchmark(struct reader *r, int depth, void *ctx)
{
    struct repetitions *list = ctx;
    struct one o = { .type = "iteration", .unit = "ns", .time = NAN };
    if (!members(r, depth + 1, of_one, &o))
        return false;
    double seconds = o.time * seconds_of(o.unit);
    if (strcmp(o.type, "iteration") || o.failed)
        return true;
    if (!*o.name || !(seconds > 0 && isfinite(seconds)))
        return fail(r, "name, cpu_time and time_unit of a benchmark");
    const char *size = strrchr(o.name, '/');
    int before = size ? (int)(size - o.name) + 1 : 0;
    for (int k = 0; k < o.found; k++)
        if (o.at[k].seconds > 0 && isfinite(o.at[k].seconds))
            add(list, o.at[k].seconds, o.name, before, o.at[k].of);
    if (!o.found)
        add(list, seconds, o.name, (int)strlen(o.name), "");
    return true;
}

static bool of_file(struct reader *r, int depth, const char *key, void *ctx)
{
    return strcmp(key, "benchmarks") ? skip(r, depth) : elements(r, depth + 1, benchmark, ctx);
}

static int in_order(const void *a, const void *b)
{
    const struct repetition *x = a, *y = b;
    int c = strcmp(x->name, y->name);
    return c ? c : (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

/* Repetitions of one name stand together, shortest first. */
static void put_medians(struct repetitions *all, struct standings *list)
{
    if (all->n)
        qsort(all->of, (size_t)all->n, sizeof *all->of, in_order);
    for (int from = 0, to; from < all->n; from = to) {
        struct standing s = { .profile = BENCH_PROFILE, .word = NOT_RUN, .reference = 1 };
        for (to = from; to < all->n && strcmp(all->of[to].name, all->of[from].name) == 0;)
            to++;
        snprintf(s.claim, sizeof s.claim, "%s", all->of[from].name);
        s.seconds = (all->of[(from + to - 1) / 2].seconds + all->of[(from + to) / 2].seconds) / 2;
        standings_put(list, &s);
    }
}

enum status bench_times_parse(const char *text, size_t n, const char *path, struct standings *list,
                              struct why *why)
{
    struct reader r = { text, text + n, 1, NULL };
    struct repetitions all = { NULL, 0 };
    bool good = members(&r, 0, of_file, &all) && (peek(&r) == 0 || fail(&r, "nothing more"));
    if (good)
        put_medians(&all, list);
    free(all.of);
    if (!good)
        return why_set(why, BAD_INPUT, "%.300s:%ld: expected %s, as Google Benchmark writes it", path, r.line,
                       r.expected);
    return list->n ? OK : why_set(why, BAD_INPUT, "%.300s: expected benchmarks with a time", path);
}

enum status bench_times_read(const char *path, struct standings *list, struct why *why)
{
    char *text = NULL, block[4096];
    size_t n = 0, got;
    FILE *in = fopen(path, "r"), *out = in ? open_memstream(&text, &n) : NULL;
    if (!in)
        return why_set(why, BAD_INPUT, "%.300s: %s", path, strerror(errno));
    BUG_IF(!out);
    while ((got = fread(block, 1, sizeof block, in)))
        fwrite(block, 1, got, out);
    bool bad = ferror(in);
    fclose(in);
    fclose(out);
    enum status s = bad ? why_set(why, BAD_INPUT, "%.300s: cannot be read", path)
                        : bench_times_parse(text, n, path, list, why);
    free(text);
    return s;
}
