/* SPDX-License-Identifier: GPL-3.0-or-later */
/* typed.c - reads the options that `sweep` and `test` share: names, axes, settings. */
#include "cli/typed.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/params.h"
#include "cell/registry.h"
#include "cli/solve.h"
#include "data/data_sets.h"

/* The number of points of a range that states none is two a decade and one more, within these limits: a slope needs
 * five points, and more than 33 would only take time. */
enum { POINTS_LEAST = 5, POINTS_MOST = 33 };
/* TUNE_POINTS: the number of points of a grid of --tune that states none; TUNE_REPS: the number of replicates in
 * which each point is tried. */
enum { TUNE_POINTS = 9, TUNE_REPS = 4 };

/* list[] <- copies of the words of a list. */
static enum status split(const char *option, const char *words, const char *list[TYPED_NAMES], int *n,
                         struct why *why)
{
    char *rest = typed_text("%s", words), *word;
    for (*n = 0; (word = strsep(&rest, ","));) {
        if (*n == TYPED_NAMES)
            return why_set(why, BAD_INPUT, "--%s %.80s: expected at most %d names", option, words, TYPED_NAMES);
        for (int k = 0; k < *n; k++)
            if (strcmp(list[k], word) == 0)
                return why_set(why, BAD_INPUT, "--%s %.80s: %.40s is named twice", option, words, word);
        list[(*n)++] = word;
    }
    return OK;
}

/* --- problems and data files */

static enum status check_data(const char *data, struct why *why)
{
    char path[PATH_MAX];
    if (access(data, R_OK) == 0)
        return OK;
    if (strchr(data, '/'))
        return why_set(why, BAD_INPUT, "--data %.200s: %s: expected a data file", data, strerror(errno));
    return data_set_file(data, path, why);
}

static enum status read_problems(const struct options *o, struct typed *t, struct why *why)
{
    const char *names = o->select.problem;
    if (o->data && names)
        return why_set(why, BAD_INPUT, "give --data FILE or --problem NAME, not both");
    if (o->data)
        TRY(check_data(o->data, why));
    else if (!names)
        return why_set(why, BAD_INPUT, "%s: expected --problem NAME or --data FILE", o->verb);
    return split("problem", o->data ? "erm" : names, t->problem, &t->problems, why);
}

/* --- axes of several values */

int typed_values(const struct range *axis) { return axis->ends ? axis->points : axis->values; }

double typed_value(const struct range *axis, int k)
{
    if (!axis->ends)
        return axis->value[k];
    double v = axis->value[0] * pow(axis->value[1] / axis->value[0], (double)k / (axis->points - 1));
    return axis_counts(axis->name) ? rint(v) : v;
}

static enum status read_axes(const struct options *o, struct typed *t, struct why *why)
{
    for (int k = 0; k < o->select.ranges; k++) {
        const struct range *r = &o->select.range[k];
        if (r->values < 2)
            continue;
        if (t->axes == TYPED_AXES)
            return why_set(why, BAD_INPUT, "--%s: expected at most %d axes of several values", r->name, TYPED_AXES);
        struct range *axis = &t->axis[t->axes++];
        *axis = *r;
        if (r->ends && !r->points) {
            double points = 1 + rint(2 * log10(r->value[1] / r->value[0]));
            axis->points = (int)fmin(fmax(points, POINTS_LEAST), POINTS_MOST);
        }
        for (int i = 1; i < typed_values(axis); i++)
            if (!(typed_value(axis, i) > typed_value(axis, i - 1)))
                return why_set(why, BAD_INPUT, "--%s: %d points from %g to %g are not all different: expected "
                               "fewer, FROM..TO:POINTS", axis->name, axis->points, axis->value[0], axis->value[1]);
    }
    if (!t->axes)
        return why_set(why, BAD_INPUT, "%s: expected an axis of several values, as --n 1e3..1e6", o->verb);
    return OK;
}

/* --- the grid of --tune */

static bool has_parameter(const char *algo, const char *setting)
{
    const struct algo *a = registry_algo(algo);
    const struct estimator *e = a ? NULL : registry_estimator(algo);
    const struct param *table = a ? a->params : e ? e->params : NULL;
    return strncmp(setting, "algo.", 5) == 0 && table && params_find(table, setting + 5);
}

/* Reads NAME=FROM..TO:POINTS. Returns false where the text has another form. */
static bool read_grid(const char *text, struct search *s)
{
    char copy[128];
    double points = TUNE_POINTS;
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return false;
    char *equals = strchr(copy, '='), *dots = equals ? strstr(equals, "..") : NULL;
    char *colon = dots ? strchr(dots, ':') : NULL;
    if (!dots)
        return false;
    *equals = *dots = '\0';
    if (colon)
        *colon = '\0';
    s->name = typed_text("%s", copy);
    bool good = number_parse(equals + 1, &s->from) && number_parse(dots + 2, &s->to) && s->from > 0 &&
                s->to > s->from && isfinite(s->to) && (!colon || number_parse(colon + 1, &points));
    s->points = good && points == rint(points) && points >= 2 && points <= 64 ? (int)points : 0;
    return s->points > 0;
}

static enum status read_tuning(const struct options *o, struct typed *t, struct why *why)
{
    if (!o->tune)
        return OK;
    t->search = (struct search){ .kind = SEARCH_SMALLEST, .reps = TUNE_REPS };
    if (!o->experiment.tune || !read_grid(o->experiment.tune, &t->search))
        return why_set(why, BAD_INPUT, "--tune%s%.80s: expected algo.NAME=FROM..TO:POINTS, 2 to 64 points, as "
                       "algo.step=1e-4..1:9", o->experiment.tune ? " " : "",
                       o->experiment.tune ? o->experiment.tune : "");
    for (int k = 0; k < t->algos; k++)
        if (!has_parameter(t->algo[k], t->search.name))
            return why_set(why, BAD_INPUT, "--tune %.80s: %s has no such parameter, see `assay list parameters`",
                           o->experiment.tune, t->algo[k]);
    return OK;
}

/* --- reading all options; texts, notes, the selection */

enum status typed_read(const struct options *o, struct typed *t, struct why *why)
{
    *t = (struct typed){ .o = o, .measure = o->experiment.measure ? o->experiment.measure : "excess",
                         .notes = calloc(1, sizeof *t->notes) };
    BUG_IF(!t->notes);
    if (!o->select.algorithm)
        return why_set(why, BAD_INPUT, "%s: expected --algorithm NAME", o->verb);
    TRY(split("algorithm", o->select.algorithm, t->algo, &t->algos, why));
    TRY(read_problems(o, t, why));
    TRY(read_axes(o, t, why));
    TRY(read_tuning(o, t, why));
    t->runner = runner_new(0);
    return OK;
}

char *typed_text(const char *format, ...)
{
    static struct text { struct text *before; char *at; } *last;    /* all texts, so that each stays reachable */
    struct text *t = malloc(sizeof *t);
    va_list list;
    BUG_IF(!t);
    va_start(list, format);
    BUG_IF(vasprintf(&t->at, format, list) < 0);
    va_end(list);
    t->before = last;
    last = t;
    return t->at;
}

struct option_name typed_option(const struct typed *t, const char *option, const char *value)
{
    const struct study_file *f = &t->o->study;
    struct option_name name;
    snprintf(name.at, sizeof name.at, "--%.60s", option);
    for (int k = 0; k < f->keys; k++)
        if (value >= f->key[k].option && value <= f->key[k].option + strlen(f->key[k].option))
            snprintf(name.at, sizeof name.at, "%.80s:%d: %.40s", f->path, f->key[k].line, option);
    return name;
}

void typed_note(const struct typed *t, const char *format, ...)
{
    char line[500], *text = t->notes->text;
    size_t n = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (!strstr(text, line) && n + strlen(line) + 2 < NOTES_ROOM)
        snprintf(text + n, NOTES_ROOM - n, "%s\n", line);
}

void typed_end(struct typed *t, int code)
{
    if (code != EXIT_USAGE)
        fputs(t->notes->text, stderr);
    if (t->runner)
        runner_free(t->runner);
    free(t->notes);
}

struct selection typed_selection(const struct typed *t)
{
    return (struct selection){ .profile = PROFILE_QUICK, .paper = PAPER_TYPED, .seed = t->o->select.seed };
}

/* --- settings of a claim or of a line */

enum status typed_add(struct typed_settings *s, const struct setting *one, struct why *why)
{
    if (s->n == SETTINGS_MAX)
        return why_set(why, BAD_INPUT, "%s: expected at most %d settings", one->name, SETTINGS_MAX);
    s->at[s->n++] = *one;
    return OK;
}

/* Adds the settings of a bag. Their texts are copied and live as long as the program, since claims point to
 * them. */
static enum status add_bag(struct typed_settings *s, const struct bag *bag, struct why *why)
{
    for (int k = 0; k < bag->count; k++) {
        const struct assignment *a = &bag->at[k];
        TRY(typed_add(s, &(struct setting){ .name = typed_text("%s", a->name),
                                            .value = a->value,
                                            .text = a->text ? typed_text("%s", a->text) : NULL }, why));
    }
    return OK;
}

enum status typed_add_axis(struct typed_settings *s, const char *name, const char *problem, const char *algo,
                           double value, double power, struct why *why)
{
    struct bag bag = { 0 };
    plan_put_axis(&bag, name, problem, algo, value);
    enum status status = add_bag(s, &bag, why);
    bag_free(&bag);
    if (status == OK)
        s->at[s->n - 1].power = power;
    return status;
}

static void put_data(const struct options *o, struct bag *bag)
{
    const struct { const char *name, *text; } words[] = {
        { "problem.data", o->data }, { "problem.format", o->data_format }, { "problem.loss", o->loss },
        { "problem.scaling", o->scaling }, { "run.public", o->public },
    };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (words[k].text)
            bag_put_text(bag, words[k].name, words[k].text);
    if (!isnan(o->test_share))
        bag_put(bag, "problem.test", o->test_share);
}

/* Does the setting concern this method? A setting that no method has is kept, so that the cell reports it. */
static bool is_for(const struct typed *t, const char *setting, const char *algo)
{
    bool any = false;
    for (int k = 0; k < t->algos; k++)
        any |= has_parameter(t->algo[k], setting);
    return strncmp(setting, "algo.", 5) || !any || has_parameter(algo, setting);
}

static void note_default(void *ctx, const char *words) { typed_note(ctx, "%s", words); }
static void say_nothing(void *ctx, const char *words) {}

/* Adds the defaults of `solve` if the problem is a data file: settings that make L and M known if some method is
 * private, delta, and a budget. Settings that change the objective are the same for all methods. */
static enum status add_defaults(const struct typed *t, const char *problem, const char *algo, struct bag *bag,
                                struct why *why)
{
    struct bag all = { 0 }, other;
    bag_copy(&all, bag);
    for (int k = 0; k < t->axes; k++)
        plan_put_axis(&all, t->axis[k].name, problem, algo, typed_value(&t->axis[k], 0));
    int known = all.count;
    enum status s = solve_defaults(t->runner, problem, algo, &all, note_default, (void *)t, why);
    for (int i = 0; s == OK && i < t->algos; i++) {
        other = (struct bag){ 0 };
        bag_copy(&other, bag);
        for (int k = 0; k < t->axes; k++)
            plan_put_axis(&other, t->axis[k].name, problem, t->algo[i], typed_value(&t->axis[k], 0));
        s = solve_defaults(t->runner, problem, t->algo[i], &other, say_nothing, NULL, why);
        for (int k = 0; s == OK && k < other.count; k++) {
            const struct assignment *a = &other.at[k];
            bool shared = strncmp(a->name, "problem.", 8) == 0 && strcmp(a->name, "problem.prox");
            if (shared && !bag_find(&all, a->name) && a->text)
                bag_put_text(&all, a->name, a->text);
            else if (shared && !bag_find(&all, a->name))
                bag_put(&all, a->name, a->value);
        }
        bag_free(&other);
    }
    for (int k = known; s == OK && k < all.count; k++) {
        const struct assignment *a = &all.at[k];
        if (a->text)
            bag_put_text(bag, a->name, a->text);
        else
            bag_put(bag, a->name, a->value);
    }
    bag_free(&all);
    return s;
}

enum status typed_common(const struct typed *t, const char *problem, const char *algo, struct typed_settings *s,
                         struct why *why)
{
    const struct options *o = t->o;
    struct bag bag = { 0 };
    *s = (struct typed_settings){ .n = 0 };
    put_data(o, &bag);
    for (int k = 0; k < o->select.ranges; k++)
        if (o->select.range[k].values == 1)
            plan_put_axis(&bag, o->select.range[k].name, problem, algo, o->select.range[k].value[0]);
    for (int k = 0; k < t->fixes; k++)
        plan_put_axis(&bag, t->fixed[k].name, problem, algo, t->fixed[k].value[0]);
    for (int k = 0; k < o->select.overrides.count; k++) {
        const struct assignment *a = &o->select.overrides.at[k];
        if (is_for(t, a->name, algo) && a->text)
            bag_put_text(&bag, a->name, a->text);
        else if (is_for(t, a->name, algo))
            bag_put(&bag, a->name, a->value);
    }
    enum status status = o->data ? add_defaults(t, problem, algo, &bag, why) : OK;
    if (status == OK)
        status = add_bag(s, &bag, why);
    bag_free(&bag);
    return status;
}

/* --- what ends a run */

/* Does a run with these settings, at the first value of the axis, end? An error of another kind counts as an end:
 * the plan reports it. */
static bool ends(const struct typed *t, const char *problem, const char *algo, const struct range *axis,
                 const struct typed_settings *s)
{
    struct bag bag = { 0 };
    struct cell *c;
    struct why why = { "" };
    double first = typed_value(axis, 0);
    plan_put_axis(&bag, axis->name, problem, algo, first);
    for (int k = 0; k < s->n; k++) {
        if (s->at[k].text)
            bag_put_text(&bag, s->at[k].name, s->at[k].text);
        else
            bag_put(&bag, s->at[k].name, s->at[k].value * pow(first, s->at[k].power));
    }
    enum status status = cell_make(problem, algo, &bag, 0, &c, &why);
    bag_free(&bag);
    if (status != OK)
        return true;
    status = run_fits(t->runner, c, &why);
    cell_free(c);
    return status == OK || strncmp(why.text, "nothing ends", 12);
}

enum status typed_ending(const struct typed *t, const char *problem, const char *algo, const struct range *axis,
                         struct typed_settings *s, struct why *why)
{
    static const struct { const char *name, *words; } ways[] = {
        { "goal.budget", "its budget of sample gradients" }, { "goal.T", "the number of its steps T" },
    };
    struct setting n = { NULL, 1, 1, NULL, NULL };
    bool known = strcmp(axis->name, "n") == 0;
    if (ends(t, problem, algo, axis, s))
        return OK;
    for (int k = 0; k < s->n && !known; k++)
        if (strcmp(s->at[k].name, "goal.n") == 0) {
            n.value = s->at[k].value;
            n.power = 0;
            known = true;
        }
    for (size_t k = 0; known && k < sizeof ways / sizeof *ways; k++) {
        struct typed_settings more = *s;
        n.name = ways[k].name;
        TRY(typed_add(&more, &n, why));
        if (!ends(t, problem, algo, axis, &more))
            continue;
        typed_note(t, "n ends no run of %s on %s: it is %s there", algo, problem, ways[k].words);
        *s = more;
        return OK;
    }
    return OK;                           /* the records of the refused runs will say which setting is missing */
}
