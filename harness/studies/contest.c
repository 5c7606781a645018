/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contest.c - runs a contest (api/contest.h) and prints it as text, as rows, and as a page beside the report. The
 * first stage runs every choice of every grid on the seeds that tune; the second runs the winners on fresh seeds.
 * The cells of the second stage depend only on the records of the first, so that a run that was interrupted can be
 * continued. */
#include "studies/contest_run.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/plan_records.h"
#include "plan/measure.h"
#include "report/report_formats.h"
#include "report/report_words.h"
#include "text/folder.h"
#include "text/markup.h"

/* A stage of the contest. reps: number of replicates; cell[]: for each row, method, choice and replicate (see
 * cells_of) the index of its cell in stage.plan. A choice is a combination of values of the grids of a method; two
 * choices may have the same cell. */
struct contest_stage {
    const struct contest *what;
    struct stage stage;
    int *cell, reps;
};

enum { CHOICES_MAX = 128 };

/* Returns the k-th value of the grid of the method's setting number `which`. */
static double grid_value(const struct contest_method *m, int which, int k)
{
    double v = study_grid(m->grid[which].from, m->grid[which].to, m->grid[which].points, k);
    return plan_whole(m->grid[which].name, "", m->algo) ? rint(v) : v;
}

static int grid_points(const struct contest_method *m, int which)
{
    return m->grid[which].name ? m->grid[which].points : 1;
}

static int choices_of(const struct contest_method *m)
{
    int n = grid_points(m, 0) * grid_points(m, 1);
    BUG_IF(n < 1 || n > CHOICES_MAX);
    return n;
}

/* value[] <- the values of the settings in choice number c; NaN for a setting without a grid. */
static void choice_values(const struct contest_method *m, int c, double value[GRID_SETTINGS])
{
    int at[GRID_SETTINGS] = { c / grid_points(m, 1), c % grid_points(m, 1) };
    for (int k = 0; k < GRID_SETTINGS; k++)
        value[k] = m->grid[k].name ? grid_value(m, k, at[k]) : NAN;
}

static void begin(struct contest_stage *g, const struct study_request *q, const struct contest_table *t, int reps)
{
    *g = (struct contest_stage){ .what = t->what, .reps = reps };
    stage_begin(&g->stage, q->run.select);
    g->cell = calloc((size_t)(t->rows * CONTEST_METHODS * CHOICES_MAX * reps) + 1, sizeof *g->cell);
    BUG_IF(!g->cell);
}

static void end(struct contest_stage *g)
{
    stage_end(&g->stage);
    free(g->cell);
}

static int *cells_of(struct contest_stage *g, int row, int method, int choice)
{
    return &g->cell[((row * CONTEST_METHODS + method) * CHOICES_MAX + choice) * g->reps];
}

/* Adds the cells of one choice of a method on a row (an instance at one size) to the stage, one for each replicate.
 * fresh: they have seeds of their own. */
static enum status add_choice(struct contest_stage *g, const struct contest_row *r, int row, int method,
                              int choice, bool fresh, struct why *why)
{
    const struct contest_method *m = &g->what->method[method];
    struct study_run run = { .name = r->on->name, .problem = r->on->problem, .algo = m->algo,
                             .measure = contest_measure(g->what, r->on), .axis = g->what->axis, .at = r->size,
                             .of_problem = r->on->with, .of_study = g->what->as.with, .of_method = m->with,
                             .fresh = fresh };
    double value[GRID_SETTINGS];
    int n = 0;
    choice_values(m, choice, value);
    for (int k = 0; k < GRID_SETTINGS; k++)
        if (m->grid[k].name)
            run.chosen.with[n++] = (struct setting){ m->grid[k].name, value[k] };
    for (long rep = 0; rep < g->reps; rep++) {
        struct why reason = { "" };
        enum status s = stage_add(&g->stage, &run, rep, &cells_of(g, row, method, choice)[rep], &reason);
        if (s != OK)
            return why_set(why, s, "%s, %s: %.300s", r->on->name, m->label, reason.text);
    }
    return OK;
}

/* --- the first stage: every choice of every grid, on the seeds that tune */

/* Returns the mean of the measure over the runs of one choice, cell[g->reps]; NaN if one has no measure. A run that
 * was refused or failed has none, and is counted in *e. */
static double mean_of(struct contest_stage *g, const struct execution *x, const char *measure, const int *cell,
                      struct contest_entry *e)
{
    double sum = 0, y;
    bool whole = true, refused = false;
    for (int k = 0; k < g->reps; k++) {
        const struct record *r = x->record[cell[k]];
        bool ok = r && r->outcome == OUTCOME_OK, no = r && r->outcome == OUTCOME_REFUSED;
        refused |= no;
        e->failed += r && !ok && !no;
        if (r && !ok && !*e->message)
            snprintf(e->message, sizeof e->message, "%s: %.150s", record_outcome_name(r->outcome), r->message);
        if (ok && measure_get(measure, r, &y))
            sum += y / g->reps;
        else
            whole = false;
    }
    e->refused += refused;
    return whole ? sum : NAN;
}

static bool at_edge(const struct contest_method *m, int which, int k)
{
    return grid_points(m, which) > 1 && (k == 0 || k == grid_points(m, which) - 1);
}

static int winner_of(struct contest_stage *g, const struct execution *x, const char *measure, int row, int method,
                     struct contest_entry *e)
{
    const struct contest_method *m = &g->what->method[method];
    double least = INFINITY;
    int best = -1;
    *e = (struct contest_entry){ .tried = choices_of(m), .value = { NAN, NAN },
                                 .mean = { NAN, NAN, NAN } };
    for (int c = 0; c < e->tried; c++) {
        double y = mean_of(g, x, measure, cells_of(g, row, method, c), e);
        if (y < least) {
            least = y;
            best = c;
        }
    }
    e->found = best >= 0;
    if (!e->found)
        return -1;
    choice_values(m, best, e->value);
    e->edge[0] = at_edge(m, 0, best / grid_points(m, 1));
    e->edge[1] = at_edge(m, 1, best % grid_points(m, 1));
    return best;
}

static enum status tune(const struct study_request *q, struct contest_table *t, int *winner, int *code,
                        struct why *why)
{
    struct contest_stage g;
    struct execution x = { 0 };
    enum status s = OK;
    begin(&g, q, t, t->what->as.runs);
    for (int r = 0; r < t->rows; r++)
        for (int m = 0; m < t->methods; m++)
            for (int c = 0; c < choices_of(&t->what->method[m]) && s == OK; c++)
                s = add_choice(&g, &t->row[r], r, m, c, false, why);
    if (s == OK)
        s = stage_run(q, &g.stage, &x, code, why);
    for (int r = 0; r < t->rows && s == OK && !*code; r++)
        for (int m = 0; m < t->methods; m++) {
            const char *measure = contest_measure(t->what, t->row[r].on);
            winner[r * t->methods + m] = winner_of(&g, &x, measure, r, m, &t->row[r].entry[m]);
            t->failed += t->row[r].entry[m].failed;
        }
    free_records(&g.stage.plan, x.record);
    end(&g);
    return s;
}

/* --- the second stage: the winners, on fresh seeds */

static void collect(struct contest_stage *g, const struct execution *x, const char *measure, const int *cell,
                    struct contest_entry *e)
{
    for (int k = 0; k < g->reps; k++) {
        const struct record *r = x->record[cell[k]];
        double y = NAN;
        if (r && r->outcome == OUTCOME_OK && measure_get(measure, r, &y))
            y = isnan(y) ? INFINITY : y;
        else
            e->failed++;
        e->y[e->runs++] = y;
    }
}

static enum status decide(const struct study_request *q, struct contest_table *t, const int *winner,
                          int *code, struct why *why)
{
    struct contest_stage g;
    struct execution x = { 0 };
    enum status s = OK;
    begin(&g, q, t, q->run.select->reps > 0 ? (int)q->run.select->reps : t->what->as.fresh);
    BUG_IF(g.reps > CONTEST_RUNS);
    for (int r = 0; r < t->rows; r++)
        for (int m = 0; m < t->methods && s == OK; m++)
            if (winner[r * t->methods + m] >= 0)
                s = add_choice(&g, &t->row[r], r, m, winner[r * t->methods + m], true, why);
    if (s == OK)
        s = stage_run(q, &g.stage, &x, code, why);
    for (int r = 0; r < t->rows && s == OK && !*code; r++)
        for (int m = 0; m < t->methods; m++) {
            const char *measure = contest_measure(t->what, t->row[r].on);
            int before = t->row[r].entry[m].failed;
            if (winner[r * t->methods + m] >= 0)
                collect(&g, &x, measure, cells_of(&g, r, m, winner[r * t->methods + m]),
                        &t->row[r].entry[m]);
            t->failed += t->row[r].entry[m].failed - before;
        }
    free_records(&g.stage.plan, x.record);
    end(&g);
    return s;
}

/* --- the rows of the table, and both stages one after the other */

static enum status build(const struct study_request *q, const struct contest *what, struct contest_table *t,
                         struct why *why)
{
    const struct selection *s = q->run.select;
    int n = 0;
    *t = (struct contest_table){ .what = what };
    for (const struct contest_instance *i = what->instances; i->name; i++)
        n++;
    while (t->methods < CONTEST_METHODS && what->method[t->methods].label)
        t->choices += choices_of(&what->method[t->methods++]);
    for (int k = 0; k < s->ranges; k++)
        if (s->range[k].values > 1 || strcmp(s->range[k].name, what->axis) == 0)
            return why_set(why, BAD_INPUT, "--%s: this search has values of its own, and takes one of any "
                           "other axis", s->range[k].name);
    if (s->reps > CONTEST_RUNS)
        return why_set(why, BAD_INPUT, "--reps %ld: expected at most %d", s->reps, CONTEST_RUNS);
    t->altered = s->overrides.count || s->ranges || s->reps > 0 || !isnan(s->seed);
    t->row = calloc((size_t)(n * what->points) + 1, sizeof *t->row);
    BUG_IF(!t->row || what->points > CONTEST_POINTS);
    for (const struct contest_instance *i = what->instances; i->name; i++)
        for (int k = 0; k < what->points && (!s->problem || !fnmatch(s->problem, i->name, 0)); k++) {
            double part = what->points > 1 ? k / (what->points - 1.0) : 0;
            t->row[t->rows++] = (struct contest_row){
                .on = i, .size = rint(what->from * pow(what->to / what->from, part)) };
        }
    if (t->rows)
        return OK;
    why_set(why, BAD_INPUT, "--problem %s: expected one of", s->problem);
    for (const struct contest_instance *i = what->instances; i->name; i++) {
        size_t used = strlen(why->text);
        snprintf(why->text + used, sizeof why->text - used, " %s", i->name);
    }
    return BAD_INPUT;
}

enum status contest_run(const struct study_request *q, const struct contest *what,
                        struct contest_table *t, int *code, struct why *why)
{
    enum status s = q->run.select->algorithm
        ? why_set(why, BAD_INPUT, "--algorithm %s: this search compares all its methods",
                  q->run.select->algorithm)
        : build(q, what, t, why);
    if (s != OK)
        return s;
    int *winner = calloc((size_t)(t->rows * t->methods) + 1, sizeof *winner);
    BUG_IF(!winner);
    fprintf(stderr, "%d instances and sizes; stage 1: %d choices of %d methods on each, %d seeds; stage 2: "
            "the best of each method on fresh seeds\n", t->rows, t->choices, t->methods,
            what->as.runs);
    s = tune(q, t, winner, code, why);
    if (s == OK && !*code)
        s = decide(q, t, winner, code, why);
    free(winner);
    if (s == OK && !*code)
        contest_compare(t);
    return s;
}

void contest_free(struct contest_table *t)
{
    free(t->row);
    *t = (struct contest_table){ 0 };
}

/* --- the comparison of the runs of the second stage. These functions read no store and run nothing. */

/* A ratio that differs from 1 by less than TIE is a tie, however small its error: equal runs may differ by
 * rounding. */
static const double TIE = 1e-9;

static const char *word_of(enum contest_word w)
{
    static const char *const word[] = { "below", "above", "open", "not compared" };
    return word[w];
}

/* y[], z[] <- the values of two methods in the replicates in which both ran and are positive and finite. Returns
 * the number of these replicates. */
static int pairs(const struct contest_entry *a, const struct contest_entry *b, double *y, double *z)
{
    int n = 0;
    for (int k = 0; k < a->runs && k < b->runs; k++)
        if (a->y[k] > 0 && b->y[k] > 0 && isfinite(a->y[k]) && isfinite(b->y[k])) {
            y[n] = a->y[k];
            z[n++] = b->y[k];
        }
    return n;
}

static int infinite(const struct contest_entry *e)
{
    int n = 0;
    for (int k = 0; k < e->runs; k++)
        n += isinf(e->y[k]);
    return n;
}

/* Returns the number of runs that diverged or failed. */
static int lost(const struct contest_entry *e)
{
    int n = 0;
    for (int k = 0; k < e->runs; k++)
        n += !isfinite(e->y[k]);
    return n;
}

/* Returns the ratio of the measure of a to that of b with its limits at `level`. If one of the two diverged (has an
 * infinite value) in more replicates, it counts as above the other, and the ratio has no value. */
static struct contest_ratio ratio_of(const struct contest_entry *a, const struct contest_entry *b,
                                    double level)
{
    double y[CONTEST_RUNS], z[CONTEST_RUNS];
    struct contest_ratio r = { NAN, { NAN, NAN }, CONTEST_MISSING };
    int n = pairs(a, b, y, z);
    if (infinite(a) != infinite(b)) {
        r.word = infinite(a) > infinite(b) ? CONTEST_ABOVE : CONTEST_BELOW;
        return r;
    }
    if (n < 2)
        return r;
    struct location l = stats_log_ratio(n, y, z);
    struct interval i = stats_interval(&l, level);
    r.value = exp(l.value);
    r.limits = (struct interval){ exp(i.lo), exp(i.hi) };
    r.word = i.hi < -TIE ? CONTEST_BELOW : i.lo > TIE ? CONTEST_ABOVE : CONTEST_OPEN;
    return r;
}

static void describe(struct contest_entry *e)
{
    double y[CONTEST_RUNS], unused[CONTEST_RUNS];
    int n = pairs(e, e, y, unused);
    if (n < 2 || n < e->runs)
        return;
    struct location l = stats_log_mean(n, y);
    struct interval i = stats_interval(&l, 0.95);
    e->mean = (struct estimate){ exp(l.value), exp(i.lo), exp(i.hi) };
}

void contest_compare(struct contest_table *t)
{
    double level = 1 - 0.01 / t->rows;
    for (struct contest_row *r = t->row; r < t->row + t->rows; r++) {
        for (int m = 0; m < t->methods; m++)
            describe(&r->entry[m]);
        r->ratio = ratio_of(&r->entry[0], &r->entry[t->what->rival], level);
    }
}

static int edges(const struct contest_table *t)
{
    int n = 0;
    for (const struct contest_row *r = t->row; r < t->row + t->rows; r++)
        for (int m = 0; m < t->methods; m++)
            n += r->entry[m].edge[0] || r->entry[m].edge[1];
    return n;
}

/* *all <- the number of instances that have a ratio both at their smallest and at their largest size; *falls <- how
 * many of these have a smaller ratio at the largest size. */
static void trend(const struct contest_table *t, int *falls, int *all)
{
    int points = t->what->points;
    *falls = *all = 0;
    for (int r = 0; r + points <= t->rows && points > 1; r += points) {
        double first = t->row[r].ratio.value, last = t->row[r + points - 1].ratio.value;
        *all += !isnan(first) && !isnan(last);
        *falls += last < first;
    }
}

/* Appends a text to a->text, with a blank between them unless a->text was empty. */
static void say(struct contest_answer *a, const char *text)
{
    size_t n = strlen(a->text);
    snprintf(a->text + n, sizeof a->text - n, "%s%s", n ? " " : "", text);
}

void contest_conclude(const struct contest_table *t, struct contest_answer *a)
{
    const struct contest *what = t->what;
    int falls, all;
    char line[500];
    *a = (struct contest_answer){ 0 };
    for (const struct contest_row *r = t->row; r < t->row + t->rows; r++) {
        a->count[r->ratio.word]++;
        if (!isnan(r->ratio.value) && (!a->best || r->ratio.value < a->best->ratio.value))
            a->best = r;
    }
    const char *found = a->count[CONTEST_BELOW] ? what->yes : what->no;
    say(a, a->count[CONTEST_MISSING] == t->rows ? "Nothing was compared." : found);
    snprintf(line, sizeof line, "Of %d instances and sizes, %s is below %s in %d, above in %d, open in %d, "
             "not compared in %d (99%% for all together).", t->rows, what->method[0].label,
             what->method[what->rival].label, a->count[CONTEST_BELOW], a->count[CONTEST_ABOVE],
             a->count[CONTEST_OPEN], a->count[CONTEST_MISSING]);
    say(a, line);
    if (a->best) {
        snprintf(line, sizeof line, "The least ratio is %.3g (%.3g to %.3g), on %s at %s = %.10g.",
                 a->best->ratio.value, a->best->ratio.limits.lo, a->best->ratio.limits.hi,
                 a->best->on->name, what->axis, a->best->size);
        say(a, line);
    }
    trend(t, &falls, &all);
    if (all) {
        snprintf(line, sizeof line, "From the least %s to the largest it falls on %d of %d instances.",
                 what->axis, falls, all);
        say(a, line);
    }
    snprintf(line, sizeof line, "%d of %d tuned choices lie at an end of their grid. Evidence within this "
             "budget, no proof: %d choices on each, %d seeds to tune, grids and instances as declared.",
             edges(t), t->rows * t->methods, t->choices, what->as.runs);
    say(a, line);
}

/* --- printing the table as text */

/* The chosen settings of a method in words, such as "step = 0.2 (end of its grid)". */
struct choice { char at[160]; };
static struct choice choice_of(const struct contest_method *m, const struct contest_entry *e)
{
    struct choice c = { "" };
    int n = 0;
    for (int k = 0; k < GRID_SETTINGS && m->grid[k].name; k++) {
        const char *dot = strchr(m->grid[k].name, '.');
        n += snprintf(c.at + n, sizeof c.at - (size_t)n, "%s%.30s = %.10g%s", k ? ", " : "",
                      dot ? dot + 1 : m->grid[k].name, e->value[k],
                      e->edge[k] ? " (end of its grid)" : "");
    }
    return c;
}

static void print_entry(const struct contest_method *m, const struct contest_entry *e)
{
    printf("    %-36s", m->label);
    if (!e->found) {
        printf(" %s%s%s\n", e->refused == e->tried ? "refuses every choice" : "no choice ran",
               *e->message ? "; " : "", e->message);
        return;
    }
    if (isnan(e->mean.value) && lost(e))
        printf(" diverged or failed in %d of %d runs", lost(e), e->runs);
    else if (isnan(e->mean.value))
        printf(" no interval (runs: %d)", e->runs);
    else
        printf(" %9.3g (%.3g to %.3g)", e->mean.value, e->mean.lo, e->mean.hi);
    if (m->grid[0].name)
        printf("; %s", choice_of(m, e).at);
    if (e->refused)
        printf("; %d of %d choices refused", e->refused, e->tried);
    if (e->failed)
        printf("; %d runs failed", e->failed);
    printf("\n");
}

static void print_text(const struct contest_table *t, const struct contest_answer *a)
{
    const struct contest *w = t->what;
    printf("%s\n%s: mean of fresh runs (95%%)\n", w->as.title, w->measure);
    if (t->altered)
        printf("%s\n", "With settings of your own: not the search that is declared.");
    for (int r = 0; r < t->rows; r++) {
        const struct contest_row *row = &t->row[r];
        if (r == 0 || row->on != t->row[r - 1].on)
            printf("%s: %s%s%s\n", row->on->name, row->on->title, row->on->measure ? "; " : "",
                   row->on->measure ? row->on->measure : "");
        printf("  %s = %.10g\n", w->axis, row->size);
        for (int m = 0; m < t->methods; m++)
            print_entry(&w->method[m], &row->entry[m]);
        printf("    %s / %s: ", w->method[0].label, w->method[w->rival].label);
        if (!isnan(row->ratio.value))
            printf("%.3g (%.3g to %.3g), ", row->ratio.value, row->ratio.limits.lo, row->ratio.limits.hi);
        printf("%s\n", word_of(row->ratio.word));
    }
    printf("%s\n%s\n", w->as.says, a->text);
}

/* --- CSV and JSON have the same fields, in one row for each instance, size and method. In the row of the rival,
 * `ratio` is that of the first method to the rival, and `word` is how the two compare. */

enum { FIELDS = 17 };

static void fields_of(const struct contest_table *t, int r, int m, struct study_field f[FIELDS])
{
    const struct contest_row *row = &t->row[r];
    const struct contest_entry *e = &row->entry[m];
    const struct contest_method *how = &t->what->method[m];
    bool rival = m == t->what->rival;
    const struct study_field row_fields[FIELDS] = {
        { "instance", row->on->name, 0 },
        { t->what->axis, NULL, row->size },
        { "method", how->label, 0 },
        { "first_setting", how->grid[0].name ? how->grid[0].name : "", 0 },
        { "first", NULL, e->value[0] },
        { "second_setting", how->grid[1].name ? how->grid[1].name : "", 0 },
        { "second", NULL, e->value[1] },
        { "edge", NULL, e->edge[0] || e->edge[1] },
        { "runs", NULL, e->runs },
        { "refused", NULL, e->refused },
        { "failed", NULL, e->failed },
        { "mean", NULL, e->mean.value },
        { "ratio", NULL, rival ? row->ratio.value : NAN },
        { "ratio_lo", NULL, rival ? row->ratio.limits.lo : NAN },
        { "ratio_hi", NULL, rival ? row->ratio.limits.hi : NAN },
        { "mean_hi", NULL, e->mean.hi },
        { "word", rival ? word_of(row->ratio.word) : "", 0 },
    };
    memcpy(f, row_fields, sizeof row_fields);
}

static void print_rows(const struct contest_table *t, enum record_format format)
{
    static const struct listing_layout layout = { "\n  ", ",\n  ", "]}\n", "]}\n", true };
    struct study_field f[FIELDS];
    fields_of(t, 0, 0, f);
    struct listing l = study_listing(format, &layout, f, FIELDS);
    for (int k = 0; k < t->rows * t->methods; k++) {
        fields_of(t, k / t->methods, k % t->methods, f);
        study_row(&l, f);
    }
    listing_end(&l);
}

/* Prints the contest as one JSON object, whose last member is the list of the rows. */
static void print_json(const struct contest_table *t, const struct contest_answer *a)
{
    struct json j = { .out = stdout, .spaced = true };
    json_open(&j, NULL, '{');
    json_text(&j, "answer", a->text);
    printf(",\n \"below\": %d, \"above\": %d, \"open\": %d, \"missing\": %d,\n \"rows\": [",
           a->count[CONTEST_BELOW], a->count[CONTEST_ABOVE], a->count[CONTEST_OPEN],
           a->count[CONTEST_MISSING]);
    print_rows(t, RECORD_JSON);
}

void contest_print(const struct study_request *q, const struct contest_table *t,
                   const struct contest_answer *a)
{
    if (q->format == RECORD_TEXT)
        print_text(t, a);
    else if (q->format == RECORD_JSON)
        print_json(t, a);
    else
        print_rows(t, RECORD_CSV);
    fflush(stdout);
}

/* --- the page: the answer, and for each instance a figure of all methods against size and a table of its
 * numbers */

/* Draws the curves of all methods on the instance whose rows begin at `row`. */
static void draw_rows(const struct contest_table *t, const struct paper *paper, const char *name,
                          int row, struct drawing *d)
{
    const struct contest *w = t->what;
    const struct contest_instance *on = t->row[row].on;
    snprintf(d->id, sizeof d->id, "%.70s.%.40s", name, on->name);
    d->plot = (struct plot){ .id = d->id, .title = on->title, .says = w->as.says,
                             .problem = on->problem, .measure = contest_measure(w, on), .axis = w->axis };
    d->plotted = (struct plotted){ .plot = &d->plot, .paper = paper, .planned = true };
    for (int m = 0; m < t->methods; m++) {
        struct plotted_line *l = study_line(d, w->method[m].label, w->method[m].algo, "");
        for (int k = 0; k < w->points; k++) {
            const struct contest_entry *e = &t->row[row + k].entry[m];
            if (isnan(e->mean.value))
                continue;
            l->point[l->points++] = (struct plotted_point){
                .axis = t->row[row + k].size, .x = t->row[row + k].size, .theory = NAN, .reps = e->runs,
                .y = e->mean };
        }
        d->plotted.lines -= l->points == 0;
    }
}

static void put_row(FILE *out, const struct contest_table *t, const struct contest_row *r, int m)
{
    const struct contest_entry *e = &r->entry[m];
    const struct contest_method *how = &t->what->method[m];
    bool rival = m == t->what->rival;
    double known = rival ? 1 : NAN;                              /* the ratio is printed in the row of the rival
                                                                    only; a product with NaN is printed as a dash */
    markup_print(out, "<tr><th scope=\"row\" class=\"words\">%-s <span class=\"note\">%-s</span></th>", how->label,
                 e->found ? choice_of(how, e).at : *e->message ? e->message : "no choice ran");
    study_numbers(out, 1, &r->size);
    study_numbers(out, 3, (double[]){ e->mean.value, e->mean.lo, e->mean.hi });
    study_numbers(out, 3, (double[]){ known * r->ratio.value, known * r->ratio.limits.lo,
                                      known * r->ratio.limits.hi });
    markup_print(out, "<td>%-s</td></tr>\n", rival ? word_of(r->ratio.word) : "");
}

static void put_instance(FILE *out, const struct contest_table *t, int row, const struct figure *f,
                         int k)
{
    const struct contest *w = t->what;
    const char *measure = contest_measure(w, t->row[row].on);
    char caption[400];
    markup_print(out, "<section aria-labelledby=\"panel-%d\">\n<h2 id=\"panel-%d\">%-s</h2>\n", k, k,
                 t->row[row].on->title);
    report_html_figure(out, f, measure);
    snprintf(caption, sizeof caption, "%.60s of fresh runs; ratio of %.80s to %.80s, 99%% for all "
             "comparisons together", measure, w->method[0].label, w->method[w->rival].label);
    report_html_table(out, t->row[row].on->title, caption);
    fprintf(out, "<th scope=\"col\" class=\"words\">method</th><th scope=\"col\">%s</th>"
            "<th scope=\"col\">mean</th><th scope=\"col\">from</th><th scope=\"col\">to</th>"
            "<th scope=\"col\">ratio</th><th scope=\"col\">from</th><th scope=\"col\">to</th>"
            "<th scope=\"col\">it is</th></tr></thead>\n<tbody>\n", w->axis);
    for (int p = 0; p < w->points; p++)
        for (int m = 0; m < t->methods; m++)
            put_row(out, t, &t->row[row + p], m);
    report_html_table_end(out);
    fputs("</section>\n", out);
}

struct page {
    const struct study_request *q;
    const struct paper *paper;
    const struct contest_table *t;
    const struct contest_answer *a;
    const struct figure *figure; /* [instances] one for each instance */
};

static void put_page(FILE *out, const void *ctx)
{
    const struct page *p = ctx;
    const struct contest_table *t = p->t;
    const struct contest *w = t->what;
    study_page_begin(out, w->as.title);
    markup_print(out, "<p>%-s</p>\n<p class=\"summary\">%-s</p>\n", p->a->text, w->as.says);
    if (t->altered)
        fputs("<p>With settings of your own: not the search that is declared.</p>\n", out);
    markup_print(out, "<p class=\"note\">%-s</p>\n</header>\n<main>\n", p->paper->cite);
    for (int r = 0; r < t->rows; r += w->points)
        put_instance(out, t, r, &p->figure[r / w->points], r / w->points);
    study_page_end(out, p->q->command);
}

static void put_answer(FILE *out, const void *ctx) { fputs(((const struct contest_answer *)ctx)->text, out); }

struct drawings { const struct contest_table *t; const struct paper *paper; const char *name; };

static void draw_instance(const void *ctx, int k, struct drawing *d)
{
    const struct drawings *all = ctx;
    draw_rows(all->t, all->paper, all->name, k * all->t->what->points, d);
}

enum status contest_page(const struct study_request *q, const struct paper *paper,
                         const struct contest_table *t, const struct contest_answer *a,
                         struct page_name *name, struct why *why)
{
    char folder[4200];
    struct figure *f = calloc((size_t)t->rows + 1, sizeof *f);
    BUG_IF(!f);
    *name = study_page_name(paper, q->run.select, t->altered);
    struct page p = { q, paper, t, a, f };
    snprintf(folder, sizeof folder, "%.4000s/figures", q->output);
    enum status status = folder_make(folder, why);
    if (status == OK)
        status = study_draw(folder, f, t->rows / t->what->points, draw_instance,
                            &(struct drawings){ t, paper, name->at }, why);
    if (status == OK)
        status = study_page_write(q, name->at, put_page, &p, why);
    snprintf(folder, sizeof folder, "%.4000s/%.100s.txt", q->output, name->at);
    if (status == OK)
        status = file_write(folder, put_answer, a, why);
    free(f);
    return status;
}
