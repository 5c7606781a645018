/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cell.c - makes cells from settings or from their text; names and costs of cells. */
#include "cell/cell.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell/nearest.h"
#include "base/params.h"
#include "cell/registry.h"
#include "text/memstream.h"

uint64_t hash_text(const char *text, uint64_t seed)
{
    uint64_t h = 0xcbf29ce484222325u ^ seed;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3u;
    h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
    h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
    return h ^ h >> 33;
}

/* --- the parameter tables of sections run and goal */

static const struct param run_table[] = {
    PARAM(run_settings, trace, 0, 0, 2, "", "0: none, 1: marks on a geometric grid, 2: every mark"),
    PARAM(run_settings, aggregate, 0, 0, 1, "", "answer fresh batches by their exact law"),
    PARAM(run_settings, once, 0, 0, 1, "", "stored records are a stream: each is taken at most once"),
    PARAM(run_settings, count, 0, 0, 1, "", "count mode: charge, evaluate nothing"),
    PARAM(run_settings, seed, 1, 0, 0x1p53, "", "master seed"),
    PARAM(run_settings, replay, 0, 0, 1e9, "", "neighbour the run is repeated on, from 1; 0: none"),
    PARAM(run_settings, audit, 0, 0, 1e6, "runs", "runs on each of two neighbouring data sets"),
    PARAM(run_settings, part, 1, 1, 1e6, "", "which part of the audit of replicate 0 the run makes, from 1"),
    PARAM(run_settings, parts, 0, 0, 1e6, "", "parts of the audit; 0: the whole audit of this replicate"),
    PARAM_WORD(run_settings, public, "", NULL, "constants declared public, by commas: L,M"),
    PARAM(run_settings, draws, 1000, 1, 1e9, "draws", "estimator: draws of each stratum"),
    PARAM(run_settings, timeout, INFINITY, 1e-3, INFINITY, "s", "where less than --timeout"),
    PARAM_END
};

static const struct param goal_table[] = {
#define X(name, unit, doc) PARAM(goal, name, NAN, 0, INFINITY, unit, doc),
    GOAL_LIST(X)
#undef X
    PARAM_END
};

double *goal_member(struct goal *g, const char *name)
{
    const struct param *p = params_find(goal_table, name);
    return p ? (double *)((char *)g + p->offset) : NULL;
}

const struct param *cell_params(const struct cell *c)
{
    return c->algo ? c->algo->params : c->estimator->params;
}

size_t cell_params_size(const struct cell *c)
{
    return c->algo ? c->algo->params_size : c->estimator->params_size;
}

/* --- a cell made from settings */

/* What the replicates of a cell share. */
struct cell_stem {
    long cells;                          /* how many cells use the stem */
    char *text;                          /* the canonical text without " rep N" */
    size_t length;
    uint64_t seed, data_seed;            /* write_stem makes them. put_rep adds the replicate to both, but not to
                                            the data_seed of a problem that is `fixed` */
    void *problem_params, *algo_params;
    struct bag bag;                      /* the settings; owns the words that parameters point to */
};

struct section {
    const char *scope, *owner;
    const struct param *table;
    void *params;
};

static enum status unknown_setting(const struct section *s, const char *name, struct why *why)
{
    const char *near = params_nearest(s->table, name);
    return why_set(why, BAD_INPUT, "%s.%s: %s%s has no such parameter%s%s%s", s->scope, name,
                   s->owner ? s->owner : "the ", s->owner ? "" : s->scope,
                   near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

bool axis_counts(const char *name)
{
    static const char *const axes[] = { "n", "d", "T", "B", "N", "budget" };
    for (size_t k = 0; k < sizeof axes / sizeof *axes; k++)
        if (strcmp(axes[k], name) == 0)
            return true;
    return false;
}

/* Puts every setting of the section's scope into its struct. *set <- a bit for each row of the parameter table that
 * was set. */
static enum status fill(const struct section *s, const struct bag *bag, unsigned long *set,
                        struct why *why)
{
    size_t scope = strlen(s->scope);
    params_default(s->table, s->params);
    *set = 0;
    for (int k = 0; k < bag->count; k++) {
        const struct assignment *a = &bag->at[k];
        if (strncmp(a->name, s->scope, scope) || a->name[scope] != '.')
            continue;
        const char *name = a->name + scope + 1, *who = s->owner ? s->owner : s->scope;
        const struct param *p = params_find(s->table, name);
        if (!p && strcmp(s->scope, "goal") == 0 && strcmp(name, "constants") == 0)
            continue;
        if (!p)
            return unknown_setting(s, name, why);
        double v = a->value;
        if (s->table == goal_table && axis_counts(name) && (!a->text || number_parse(a->text, &v)) && v != rint(v))
            return why_set(why, BAD_INPUT, "goal.%s = %.10g: expected an integer", name, v);
        TRY(a->text ? params_set_text(p, s->params, a->text, who, why)
                    : params_set(p, s->params, a->value, who, why));
        *set |= 1ul << (p - s->table);
    }
    return OK;
}

/* Writes a word. Blanks, bars, equal and percent signs of a path have a meaning in the text, so they are escaped as
 * %XX. */
static void print_word(FILE *f, const char *word)
{
    for (; *word; word++)
        fprintf(f, *word <= ' ' || strchr("|%=", *word) ? "%%%02x" : "%c", (unsigned char)*word);
}

static void print_section(FILE *f, const struct section *s, unsigned long set)
{
    char number[32];
    for (const struct param *p = s->table; p && p->name; p++) {
        if (!(set >> (p - s->table) & 1))
            continue;
        fprintf(f, " %s=", p->name);
        if (p->type == PARAM_TEXT)
            print_word(f, *(const char **)((char *)s->params + p->offset));
        else
            fputs(number_text(params_get(p, s->params), number), f);
    }
}

static void fingerprint(struct cell *c)
{
    char all[160];
    const void *unit = c->algo ? (const void *)c->algo : (const void *)c->estimator;
    unsigned long long content = c->problem->content ? c->problem->content(c->problem_params) : 0;
    snprintf(all, sizeof all, "%s %s %s %llx", registry_core_hash(), registry_source_hash(unit),
             registry_source_hash(c->problem), content);
    snprintf(c->fingerprint, sizeof c->fingerprint, "%016llx%016llx",
             (unsigned long long)hash_text(all, 1), (unsigned long long)hash_text(all, 2));
}

static enum status find_units(struct cell *c, const char *problem, const char *algo, struct why *why)
{
    c->problem = registry_problem(problem);
    c->algo = registry_algo(algo);
    c->estimator = c->algo ? NULL : registry_estimator(algo);
    if (c->problem && (c->algo || c->estimator))
        return OK;
    struct nearest near = c->problem ? nearest_algorithm(algo) : nearest_problem(problem);
    const char *what = c->problem ? "algorithm" : "problem";
    char list[40];
    snprintf(list, sizeof list, ": see `assay list %ss`", what);
    return why_set(why, BAD_INPUT, "unknown %s '%.100s'%s", what, c->problem ? algo : problem,
                   near.name ? nearest_hint(&near, "") : list);
}

static enum status check_scopes(const struct bag *bag, struct why *why)
{
    static const char *const scopes[] = { "problem.", "algo.", "goal.", "run." };
    for (int k = 0; k < bag->count; k++) {
        bool known = false;
        for (size_t s = 0; s < sizeof scopes / sizeof *scopes; s++)
            known |= strncmp(bag->at[k].name, scopes[s], strlen(scopes[s])) == 0;
        if (!known)
            return why_set(why, BAD_INPUT,
                           "setting '%s': expected problem.NAME, algo.NAME, goal.NAME or run.NAME",
                           bag->at[k].name);
    }
    return OK;
}

static enum status constants_of(const struct bag *bag, struct goal *g, struct why *why)
{
    const struct assignment *a = bag_find(bag, "goal.constants");
    if (!a)
        return OK;
    bool theory = a->text && strcmp(a->text, "theory") == 0;
    if (!theory && !(a->text && strcmp(a->text, "practical") == 0))
        return why_set(why, BAD_INPUT, "goal.constants: expected theory or practical");
    g->constants = theory ? CONSTANTS_THEORY : CONSTANTS_PRACTICAL;
    return OK;
}

/* Writes the sections problem, algo, goal and run in this order, and makes the seeds. stem->seed: a hash of the
 * first three and of the master seed. stem->data_seed: the same without algo; for a problem that is `fixed` also
 * without goal. Of section `run` only the master seed goes into them. */
static void write_stem(const struct cell *c, const struct section *s, const unsigned long *set)
{
    struct cell_stem *stem = c->stem;
    uint64_t master = (uint64_t)c->run.seed, instance;
    FILE *f = open_memstream(&stem->text, &stem->length);
    BUG_IF(!f);
    fprintf(f, "problem %s", c->problem->name);
    print_section(f, &s[0], set[0]);
    BUG_IF(fflush(f));
    instance = hash_text(stem->text, master);
    fprintf(f, " | algo %s", s[1].owner);
    print_section(f, &s[1], set[1]);
    BUG_IF(fflush(f));
    size_t algo = stem->length;
    fprintf(f, " | goal");
    print_section(f, &s[2], set[2]);
    if (c->goal.constants == CONSTANTS_THEORY)
        fprintf(f, " constants=theory");
    BUG_IF(fflush(f));
    stem->seed = hash_text(stem->text, master);
    /* At the same goal and replicate all algorithms get the same data. Another goal gets other data, so that the
     * points of an axis are independent. */
    stem->data_seed = c->problem->fixed ? instance : hash_text(stem->text + algo, instance);
    fprintf(f, " | run");
    print_section(f, &s[3], set[3]);
    fprintf(f, " |");
    memstream_close(f, &stem->text);
}

static void put_rep(struct cell *c, long rep)
{
    const struct cell_stem *stem = c->stem;
    char end[32];
    size_t n = (size_t)snprintf(end, sizeof end, " rep %ld", rep);
    c->rep = rep;
    c->expected = NAN;
    c->seed = hash_text(end, stem->seed);
    c->data_seed = c->problem->fixed ? stem->data_seed : hash_text(end, stem->data_seed);
    c->text = malloc(stem->length + n + 1);
    BUG_IF(!c->text);
    memcpy(c->text, stem->text, stem->length);
    memcpy(c->text + stem->length, end, n + 1);
}

/* *mask <- the bits of the facts in a list of names separated by commas; an empty list gives 0. BAD_INPUT: a name
 * is no fact, or is f_star, which no method is ever told. */
static enum status facts_public(const char *names, unsigned long *mask, struct why *why)
{
    char copy[256], *rest = copy, *word;
    *mask = 0;
    if (snprintf(copy, sizeof copy, "%s", names) >= (int)sizeof copy)
        return why_set(why, BAD_INPUT, "run.public: expected less than %zu characters",
                       sizeof copy);
    while (*copy && (word = strsep(&rest, ","))) {
        int k = 0;
        while (k < FACT_COUNT && strcmp(fact_name(k), word))
            k++;
        if (k == FACT_COUNT || k == FACT_f_star)
            return why_set(why, BAD_INPUT,
                           "run.public: '%s' is no constant that can be told: "
                           "expected names of `assay list facts`, by commas",
                           word);
        *mask |= 1ul << k;
    }
    return OK;
}

static enum status build(struct cell *c, const char *problem, const char *algo, struct why *why)
{
    unsigned long set[4];
    TRY(find_units(c, problem, algo, why));
    TRY(check_scopes(&c->stem->bag, why));
    c->goal = goal_unknown();
    c->problem_params = c->stem->problem_params = calloc(1, c->problem->params_size + 1);
    c->algo_params = c->stem->algo_params = calloc(1, cell_params_size(c) + 1);
    BUG_IF(!c->problem_params || !c->algo_params);
    const struct section s[] = {
        { "problem", c->problem->name, c->problem->params, c->problem_params },
        { "algo", c->algo ? c->algo->name : c->estimator->name, cell_params(c), c->algo_params },
        { "goal", NULL, goal_table, &c->goal },
        { "run", NULL, run_table, &c->run },
    };
    for (int k = 0; k < 4; k++)
        TRY(fill(&s[k], &c->stem->bag, &set[k], why));
    TRY(constants_of(&c->stem->bag, &c->goal, why));
    TRY(facts_public(c->run.public, &c->public, why));
    c->goal.count = c->run.count;
    c->algo_set = set[1];
    write_stem(c, s, set);
    fingerprint(c);
    return OK;
}

enum status cell_make(const char *problem, const char *algo, const struct bag *settings, long rep,
                      struct cell **cell, struct why *why)
{
    struct cell *c = calloc(1, sizeof *c);
    BUG_IF(!c || !(c->stem = calloc(1, sizeof *c->stem)));
    c->stem->cells = 1;
    bag_copy(&c->stem->bag, settings);
    enum status s = build(c, problem, algo, why);
    if (s == OK) {
        put_rep(c, rep);
    } else {
        cell_free(c);
        c = NULL;
    }
    *cell = c;
    return s;
}

struct cell *cell_replicate(const struct cell *c, long rep)
{
    struct cell *r = malloc(sizeof *r);
    BUG_IF(!r);
    *r = *c;
    r->stem->cells++;
    put_rep(r, rep);
    return r;
}

static void stem_free(struct cell_stem *s)
{
    bag_free(&s->bag);
    free(s->text);
    free(s->problem_params);
    free(s->algo_params);
    free(s);
}

void cell_free(struct cell *c)
{
    if (!c)
        return;
    if (--c->stem->cells == 0)
        stem_free(c->stem);
    free(c->text);
    free(c);
}

const struct bag *cell_settings(const struct cell *c) { return &c->stem->bag; }

/* --- a cell made from its canonical text */

static void unescape(char *word)
{
    char *to = word;
    for (; *word; word++, to++)
        if (*word == '%' && isxdigit((unsigned char)word[1]) && isxdigit((unsigned char)word[2])) {
            *to = (char)strtol((char[]){ word[1], word[2], 0 }, NULL, 16);
            word += 2;
        } else {
            *to = *word;
        }
    *to = 0;
}

/* Reads one word of section `scope`: NAME=VALUE goes into the bag; a word without '=' is the name `owner`. */
static enum status token(const char *scope, char *word, struct bag *bag, char owner[64], struct why *why)
{
    char name[64], *value = strchr(word, '=');
    if (!value && *owner)
        return why_set(why, BAD_INPUT, "cell: expected NAME=VALUE in section '%s', not '%s'", scope,
                       word);
    if (!value) {
        snprintf(owner, 64, "%s", word);
        return OK;
    }
    *value++ = 0;
    if (snprintf(name, sizeof name, "%s.%s", scope, word) >= (int)sizeof name)
        return why_set(why, BAD_INPUT, "cell: name too long near '%s'", word);
    unescape(value);
    bag_put_text(bag, name, value);
    return OK;
}

static bool known_section(const char *scope)
{
    static const char *const sections[] = { "problem", "algo", "goal", "run", "rep" };
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
        if (strcmp(sections[k], scope) == 0)
            return true;
    return false;
}

enum status cell_parse(const char *text, struct cell **cell, struct why *why)
{
    char problem[64] = "", algo[64] = "", rep[64] = "", none[64] = "";
    char *copy = strdup(text), *rest = copy, *part, *save = NULL;
    struct bag bag = { 0 };
    double r = 0;
    enum status s = OK;

    *cell = NULL;
    while (s == OK && (part = strsep(&rest, "|"))) {
        const char *scope = strtok_r(part, " ", &save);
        if (!scope || !known_section(scope))
            strcpy(none, "?");
        for (char *w; s == OK && scope && (w = strtok_r(NULL, " ", &save));) {
            char *owner = strcmp(scope, "problem") == 0 ? problem : strcmp(scope, "algo") == 0 ? algo
                        : strcmp(scope, "rep") == 0 ? rep : none;
            s = token(scope, w, &bag, owner, why);
        }
    }
    if (s == OK && (!*problem || !*algo || *none || (*rep && !number_parse(rep, &r)) ||
                    !(r >= 0 && r < 1e9) || r != rint(r)))
        s = why_set(why, BAD_INPUT, "cell '%s': expected "
                    "`problem NAME k=v... | algo NAME k=v... | goal k=v... | run k=v... | rep N`", text);
    if (s == OK)
        s = cell_make(problem, algo, &bag, (long)r, cell, why);
    bag_free(&bag);
    free(copy);
    return s;
}

/* --- the time that a cell is expected to take */

static double problem_number(const struct cell *c, const char *name, double otherwise)
{
    const struct param *p = params_find(c->problem->params, name);
    return p && p->type != PARAM_TEXT ? params_get(p, c->problem_params) : otherwise;
}

/* Returns the number of rounds that a method takes with n samples. Without a goal T it is estimated as n^(1/2),
 * since methods take between n^(1/4) and n. With stored records T is often only a limit, so a T above the number of
 * records counts as that number. */
static double rounds_of(const struct cell *c, double n)
{
    double records = problem_number(c, "n", INFINITY);
    return isnan(c->goal.T) ? sqrt(fmax(n, 0)) : fmin(c->goal.T, records);     /* fmin ignores NaN */
}

/* The questions that cost no sample gradients. The budget bounds sample gradients, so a method that asks only these
 * questions spends none of it. */
enum { SPENDS_NO_SAMPLES = CALL_POINT | CALL_PROX | CALL_PIECES | CALL_NOISE | CALL_BLOCKS };

/* Returns the seconds for the questions that the method expects to ask, as far as budget and T allow them: 100 ns a
 * question, and 5 ns for each coordinate of its point. */
static double expected_cost(const struct cell *c, double d)
{
    double asked = fmin(c->expected, fmin(c->goal.budget, c->goal.T));     /* fmin ignores NaN */
    return asked * (100e-9 + d * 5e-9);
}

/* Measured: a round of queries takes 300 ns and 8 ns a coordinate, or 400 ns if it asks for a single coordinate. A
 * sample takes 30 ns where all samples share their gradient but for one coordinate, else 10 ns and 1 ns a
 * coordinate. Where the exact law of the mean answers, a batch takes 2.5 ns for each of its first 8d samples and,
 * for all its samples, the smaller of 0.1 ns a sample and 100 ns a coordinate. A replay takes as long as five
 * further runs, each run of an audit as four. A wrong estimate changes the order of the cells, not their
 * numbers. */
double cell_cost(const struct cell *c)
{
    bool sampled = !c->algo || (c->algo->calls & ~SPENDS_NO_SAMPLES);
    double d = c->problem->blocks ? (double)c->problem->blocks->entries(c->problem_params)
                                   : problem_number(c, "d", 100), each;
    bool single = c->algo && c->algo->one_coordinate;
    double samples = sampled ? fmax(c->goal.n, c->goal.budget) : NAN;
    double steps = sampled ? rounds_of(c, samples) : fmax(c->goal.T, 0);       /* fmax ignores NaN */
    if (c->estimator)                    /* counted as one stratum and one sample a draw */
        samples = (double)c->run.draws, steps = 0;
    else if (isnan(samples))
        samples = single ? 0 : steps;
    each = c->problem->shared ? 30e-9 : 10e-9 + d * 1e-9;
    double round = single ? 400e-9 : 300e-9 + d * 8e-9;
    double batch = steps > 0 ? samples / steps : samples;
    if (c->run.aggregate)
        each = (2.5e-9 * fmin(batch, 8 * d) + fmin(1e-10 * batch, 1e-7 * d)) / batch;
    double one = isnan(c->expected) ? samples * each + steps * round
                                    : expected_cost(c, d);
    double audited = (double)c->run.audit / (double)(c->run.parts ? c->run.parts : 1);
    return (5e-5 + one) * (1 + 5 * (c->run.replay > 0) + 4 * audited);
}
