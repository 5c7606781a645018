/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_solve.c - the verb solve, which makes one run, prints the answer and writes it as a model; and the verb
 * rerun, which repeats a stored cell. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/params.h"
#include "cell/registry.h"
#include "cli/csv_target.h"
#include "cli/solve.h"
#include "data.h"
#include "exec/method.h"
#include "plan/names.h"
#include "privacy/account_ledger.h"
#include "record/listing.h"
#include "report/report_page.h"
#include "text/progress.h"

/* The epsilon that a run of a private method has spent, and whether the answer may be called private. */
struct privacy {
    bool applies;                    /* the method is private; else no other member is set */
    double delta;                    /* the delta of the goal, or 1/n^2 */
    unsigned long told, declared;    /* facts that the method read. told: those computed from the data; declared:
                                        those declared public */
    const char *looks;               /* a setting that scales or shifts the data by averages over the records, as
                                        "problem.scaling=zscore"; NULL: there is none */
    bool silent;                     /* nothing was released: all booked noise, if any, is hidden */
    struct priced by[ACCOUNTANTS];
};

struct solution {
    const struct cell *cell;
    const struct facts *facts;
    const struct record *record;
    const double *x;                 /* [d] the answer */
    struct privacy privacy;
    const char *model;               /* the file that was written, or NULL */
};

/* --- what the run spent of privacy, and whether its answer is private */

/* Returns the value of a text parameter of the cell's problem; NULL: the problem has no such parameter. */
static const char *problem_word(const struct cell *c, const char *name)
{
    const struct param *p = params_find(c->problem->params, name);
    if (!p || p->type != PARAM_TEXT)
        return NULL;
    return *(const char *const *)((const char *)c->problem_params + p->offset);
}

/* Returns the setting by which the table is scaled or shifted with averages over its records. With such a setting
 * an answer is not private, because these averages have no noise. NULL: the cell has no such setting. */
static const char *looks(const struct cell *c)
{
    const char *scaling = problem_word(c, "scaling"), *target = problem_word(c, "target");
    if (scaling && strcmp(scaling, "zscore") == 0)
        return "problem.scaling=zscore";
    if (target && strcmp(target, "none"))
        return "problem.target";
    return NULL;
}

/* *p <- the price of the noise that the run has booked. */
static void price(const struct cell *c, const struct facts *facts, const struct ledger *ledger,
                   struct privacy *p)
{
    double n = isfinite(facts->n) ? facts->n : c->goal.n;
    *p = (struct privacy){ .applies = c->algo->adjacency != ADJACENCY_NONE };
    if (!p->applies)
        return;
    p->delta = isnan(c->goal.delta) ? 1 / (n * n) : c->goal.delta;
    p->told = run_told(c, facts, ORIGIN_DATA);
    p->declared = run_told(c, facts, ORIGIN_DECLARED);
    p->looks = looks(c);
    p->silent = true;
    for (long k = 0; k < ledger->entries; k++)
        p->silent &= ledger->entry[k].hidden;
    account_ledger(ledger, facts->n, p->delta, p->by);
}

static bool is_private(const struct privacy *p)
{
    return p->applies && !p->told && !p->looks && isfinite(account_ledger_least(p->by));
}

/* text[size] <- the names of the facts of a mask, separated by commas; returns text. */
static const char *fact_names(unsigned long facts, size_t size, char *text)
{
    size_t used = 0;
    *text = 0;
    for (int k = 0; k < FACT_COUNT && used < size; k++)
        if (facts >> k & 1)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "",
                                     fact_name(k));
    return text;
}

/* --- the table of data */

static double number_of(const struct cell *c, const char *name)
{
    const struct param *p = params_find(c->problem->params, name);
    return p && p->type != PARAM_TEXT ? params_get(p, c->problem_params) : 0;
}

/* Returns the table of data of the problem; NULL: there is none. */
static const struct table *table_of(const struct cell *c)
{
    const struct table *t = NULL;
    const char *data = problem_word(c, "data");
    struct data_request q = { data,
                              problem_word(c, "format"),
                              problem_word(c, "scaling"),
                              number_of(c, "test"),
                              (long)number_of(c, "split"),
                              false };
    return data && data_load(&q, &t, NULL) == OK ? t : NULL;
}

/* --- values of the record, as text */

static const char *const adjacencies[] = {
    [ADJACENCY_NONE] = "none",
    [ADJACENCY_ZERO_OUT] = "zero-out",
    [ADJACENCY_REPLACE_ONE] = "replace-one",
    [ADJACENCY_ADD_REMOVE] = "add-remove",
};

static double value_of(const struct record *r, const char *scope, const char *name)
{
    char full[RECORD_NAME];
    double v = NAN;
    snprintf(full, sizeof full, "%s.%s", scope, name);
    record_get(r, full, &v);
    return v;
}

/* Prints a line ` name value` for every value whose name begins with the prefix. A value of 0 is printed only if
 * `zeros` is true. */
static void print_group(const struct record *r, const char *title, const char *prefix, bool zeros)
{
    size_t n = strlen(prefix);
    bool any = false;
    for (size_t k = 0; k < r->values; k++) {
        if (strncmp(r->name[k], prefix, n) || (!zeros && r->value[k] == 0))
            continue;
        if (!any)
            printf("%s\n", title);
        any = true;
        printf("  %-18s %.10g\n", r->name[k] + n, r->value[k]);
    }
}

/* --- the measures of the answer, as text */

/* Is this measure left out because it has no value? It is if it needs held-out records and none are held out, or if
 * it is a gradient at a kink. Measures of point sets are always left out. */
static bool idle(const struct measure *m, double value)
{
    bool few = strncmp(m->name, "held_", 5) == 0 || strcmp(m->name, "gradient") == 0;
    return !m->at || (isnan(value) && few);
}

/* Was a certified optimum looked for without success? It was if the certified excess has no error bound, or one
 * above both 1 and |F(x)|. */
static bool no_optimum(const struct solution *s)
{
    double excess = value_of(s->record, "measure", "excess"),
           error = value_of(s->record, "error", "excess"),
           scale = fmax(1, fabs(value_of(s->record, "measure", "objective")));
    for (const struct measure *m = s->cell->problem->measures; m && m->name; m++)
        if (m->certainty == CERTIFIED && strcmp(m->name, "excess") == 0)
            return !isnan(excess) && !(isfinite(error) && !(error > scale));
    return false;
}

static bool uncertified(const struct solution *s, const struct measure *m)
{
    return m->certainty == CERTIFIED && (no_optimum(s) ||
                                         !isfinite(value_of(s->record, "error", m->name)));
}

/* Prints why a measure has no value, or how exact its value is. */
static void print_trust(const struct solution *s, const struct measure *m, double value,
                        double error)
{
    if (isnan(value) && !(s->facts->weak == 0))
        printf(" (the objective is not convex)");
    else if (!isnan(value) && m->certainty == CERTIFIED && !uncertified(s, m))
        printf(" certified to %.2g", error);
    else if (!isnan(value) && m->certainty == CERTIFIED)
        printf(" without certificate: the best known is not proven optimal");
    else if (!isnan(value) && m->certainty == ESTIMATED)
        printf(" +- %.2g", error);
}

/* Is a measure shown without --verbose? The family's ruler is, and so are the measures that matter to somebody who
 * fits a model to data. */
static bool matters(const struct solution *s, const struct measure *m, double value)
{
    static const char *const names[] = { "objective", "accuracy", "held_accuracy", "held_loss" };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(m->name, names[k]) == 0 && !isnan(value))
            return true;
    return m == s->cell->problem->measures;
}

static void print_measures(const struct solution *s, bool all)
{
    if (all)
        printf("answer\n");
    for (const struct measure *m = s->cell->problem->measures; m && m->name; m++) {
        double value = value_of(s->record, "measure", m->name);
        if (idle(m, value) || !(all || matters(s, m, value)))
            continue;
        if (isnan(value))
            printf("  %-18s %-14s", m->name, "not known");
        else
            printf("  %-18s %-14.10g", m->name, value);
        print_trust(s, m, value, value_of(s->record, "error", m->name));
        /* The text after the comma is about the certificate; without a certificate it is left out. */
        bool cut = uncertified(s, m);
        printf("  %.*s\n", (int)(cut ? strcspn(m->doc, ",") : strlen(m->doc)), m->doc);
    }
    double radius = s->facts->radius, length = vec_norm((long)s->facts->d, s->x);
    if (isfinite(radius) && length > 0.99 * radius)
        printf("  on the ball's edge |x| = %.4g: a larger --radius may fit better\n", length);
}

/* --- privacy and cost of the answer, as text; the whole text */

static void print_label(const struct privacy *p)
{
    char names[200];
    if (p->told)
        printf("  NOT PRIVATE        the method read %s, computed from these data: if known without "
               "them, give --public %s\n",
               fact_names(p->told, sizeof names, names), names);
    if (p->looks)
        printf("  NOT PRIVATE        %s uses means of these data\n", p->looks);
    if (isinf(account_ledger_least(p->by)))
        printf("  NOT PRIVATE        no noise bounds what was released\n");
    if (is_private(p))
        printf("  private            only x, by the booked noise, and not the measures above; a simulation, "
               "as seeds are known\n");
    if (p->silent)
        printf("  nothing was released: the run ended before its first release, and x is the start "
               "unless the method answered without noise; give more samples or a larger budget\n");
    if (p->declared)
        printf("  declared public    %s\n", fact_names(p->declared, sizeof names, names));
}

/* Was more spent, by the best accountant, than the epsilon that was asked for? */
static bool exceeded(const struct solution *s)
{
    return account_ledger_least(s->privacy.by) > s->cell->goal.eps * (1 + 1e-9);
}

/* Prints the least epsilon of all accountants. */
static void print_least(const struct privacy *p)
{
    const struct priced *least = NULL;
    for (int k = 0; k < ACCOUNTANTS; k++)
        if (!isnan(p->by[k].eps) && (!least || p->by[k].eps < least->eps))
            least = &p->by[k];
    if (least)
        printf("  epsilon            %.6g at delta = %.6g, by %s\n", least->eps, p->delta, least->name);
}

static void print_privacy(const struct solution *s, bool all)
{
    const struct privacy *p = &s->privacy;
    const struct goal *g = &s->cell->goal;
    if (method_not_audited(s->cell->algo))
        printf("  not audited        the method says that it has noise or data of its own: nothing is known of its "
               "privacy\n");
    if (!p->applies)
        return;
    if (all)
        printf("privacy\n");
    print_label(p);
    if (all)
        printf("  adjacency          %s\n", adjacencies[s->cell->algo->adjacency]);
    if (!isnan(g->eps))
        printf("  asked              eps = %.6g at delta = %.6g%s\n", g->eps, g->delta,
               exceeded(s) ? ": MORE WAS SPENT" : "");
    else if (!isnan(g->rho))
        printf("  asked              rho = %.6g: (rho^2/2)-zCDP\n", g->rho);
    if (!all) {
        print_least(p);
        return;
    }
    printf("  epsilon            at delta = %.6g, the largest of any record\n", p->delta);
    for (int k = 0; k < ACCOUNTANTS; k++) {
        const struct priced *by = &p->by[k];
        char lower[40] = "";
        if (isnan(by->eps))
            continue;
        if (!isnan(by->lower))
            snprintf(lower, sizeof lower, ", at least %.10g", by->lower);
        printf("    %-16s %-14.10g %s%s\n", by->name, by->eps, by->note, lower);
    }
}

/* Prints the counts that most claims are about, without those that are 0. */
static void print_cost(const struct record *r)
{
    static const char *const names[] = { "sample_grads", "full_grads", "coords", "smooth_grads", "sample_values",
                                         "batch_steps" };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        double v = value_of(r, "count", names[k]);
        if (v > 0)
            printf("  %-18s %.10g\n", names[k], v);
    }
}

static void print_all_values(const struct solution *s)
{
    char words[500];
    print_group(s->record, "cost", "count.", false);
    print_group(s->record, "parameters", "param.", true);
    if (*solve_words(s->cell, sizeof words, words))
        printf("words     %s\n", words);
    print_group(s->record, "constants that the problem states", "fact.", true);
    print_group(s->record, "diagnostics", "note.", true);
    print_group(s->record, "clipping", "clip.", true);
}

/* Prints which column of a CSV file is the target. With --target it was printed when the table was made. */
static void print_target(const struct options *o, const struct cell *c)
{
    char says[TARGET_SAYS];
    const struct table *t = o->data && !o->target ? table_of(c) : NULL;
    if (!t)
        return;
    csv_target_first(t->path, says);
    if (*says)
        printf("target    %s of %s (--target NAME chooses another)\n", says, o->data);
}

static void print_text(const struct options *o, const struct solution *s)
{
    const struct cell *c = s->cell;
    printf("problem   %s: %s\n", c->problem->name, c->problem->doc);
    printf("algorithm %s: %s (%s)\n", c->algo->name, c->algo->doc, c->algo->cite);
    print_target(o, c);
    if (!c->run.count)
        print_measures(s, o->verbose);
    print_privacy(s, o->verbose);
    if (o->verbose)
        print_all_values(s);
    else
        print_cost(s->record);
    if (s->model)
        printf("model     %s\n", s->model);
    printf("time      %.3g s%s\n", s->record->seconds,
           o->verbose ? "" : " (--verbose shows all counts, parameters, constants and diagnostics)");
    char *again = report_rerun(c->text);
    printf("again     %s\n", again);
    free(again);
}

/* --- the answer as JSON */

static void put_measures(struct json *j, const struct solution *s)
{
    static const char *const words[] = { "exact", "certified", "estimated" };
    json_open(j, "answer", '{');
    for (const struct measure *m = s->cell->problem->measures; m && m->name; m++) {
        if (!m->at)
            continue;
        json_open(j, m->name, '{');
        json_real(j, "value", value_of(s->record, "measure", m->name));
        json_real(j, "error", value_of(s->record, "error", m->name));
        json_text(j, "certainty", uncertified(s, m) ? "not certified" : words[m->certainty]);
        json_text(j, "unit", m->unit);
        json_close(j, '}');
    }
    json_close(j, '}');
}

static void put_privacy(struct json *j, const struct solution *s)
{
    const struct privacy *p = &s->privacy;
    char told[200], declared[200];
    if (!p->applies) {
        json_text(j, "privacy", method_not_audited(s->cell->algo) ? "not audited" : NULL);
        return;
    }
    json_open(j, "privacy", '{');
    json_flag(j, "private", is_private(p));
    json_text(j, "adjacency", adjacencies[s->cell->algo->adjacency]);
    json_text(j, "told", fact_names(p->told, sizeof told, told));
    json_text(j, "declared", fact_names(p->declared, sizeof declared, declared));
    json_text(j, "looks", p->looks);
    json_real(j, "asked", s->cell->goal.eps);
    json_flag(j, "exceeded", exceeded(s));
    json_flag(j, "released", !p->silent);
    json_real(j, "delta", p->delta);
    json_open(j, "epsilon", '{');
    for (int k = 0; k < ACCOUNTANTS; k++) {
        json_open(j, p->by[k].name, '{');
        json_real(j, "eps", p->by[k].eps);
        json_real(j, "lower", p->by[k].lower);
        json_close(j, '}');
    }
    json_close(j, '}');
    json_close(j, '}');
}

static void print_json(const struct options *o, const struct solution *s)
{
    char words[500];
    struct json j = { .out = stdout, .digits = 17 };
    json_open(&j, NULL, '{');
    json_text(&j, "problem", s->cell->problem->name);
    json_text(&j, "algorithm", s->cell->algo->name);
    json_text(&j, "words", solve_words(s->cell, sizeof words, words));
    put_measures(&j, s);
    put_privacy(&j, s);
    json_text(&j, "model", s->model);
    printf(",\"record\":");
    record_write(stdout, s->record, RECORD_JSON, o->canonical);
    printf("}\n");
}

/* Prints the solution on stdout; JSON: one object. The record of CSV and JSON has the values eps.NAME too. */
static void print_solution(const struct options *o, const struct solution *s)
{
    if (o->format == RECORD_TEXT) {
        print_text(o, s);
    } else if (o->format == RECORD_JSON) {
        print_json(o, s);
    } else {
        record_write_heading(stdout, RECORD_CSV);
        record_write(stdout, s->record, RECORD_CSV, o->canonical);
    }
}

/* --- the answer as a text file that explains its use */

static double record_value(const struct record *r, const char *name)
{
    double v = NAN;
    record_get(r, name, &v);
    return v;
}

/* Can a file be created in the folder of the path? Returns false with the reason in errno. */
static bool folder_takes_files(const char *path)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    if (!slash)
        return access(".", W_OK | X_OK) == 0;
    if (!slash[1]) {
        errno = EISDIR;
        return false;
    }
    if (snprintf(folder, sizeof folder, "%.*s", (int)(slash - path + 1), path) >= (int)sizeof folder) {
        errno = ENAMETOOLONG;
        return false;
    }
    return access(folder, W_OK | X_OK) == 0;
}

/* Checks before the run that the file can be written. BAD_INPUT: it exists and force is false, or its folder takes
 * no files. */
static enum status model_free(const char *path, bool force, struct why *why)
{
    struct stat s;
    if (stat(path, &s)) {
        if (errno == ENOENT && folder_takes_files(path))
            return OK;
        return why_set(why, BAD_INPUT, "--model %.200s: %s", path, strerror(errno));
    }
    if (!S_ISREG(s.st_mode))
        return why_set(why, BAD_INPUT, "--model %.200s: expected the name of a file", path);
    return force ? OK
                 : why_set(why, BAD_INPUT,
                           "--model %.200s: the file exists: expected a new "
                           "name, or --force",
                           path);
}

/* --- the comments in the file, above the values */

/* Writes how labels follow from scores: two classes, or a target that was shifted and scaled. */
static void write_labels(FILE *f, const struct solution *s, const struct table *t)
{
    double low = INFINITY, high = -INFINITY, n = (double)t->n, mean = 0, square = 0;
    const char *target = problem_word(s->cell, "target");
    for (long i = 0; i < t->n; i++) {
        low = fmin(low, t->label[i]);
        high = fmax(high, t->label[i]);
        mean += t->label[i] / n;
    }
    if (!isnan(record_value(s->record, "measure.accuracy")))
        fprintf(f, "# classes: label %.17g where the score is positive, %.17g where it is "
                   "negative; 0 counts as wrong\n", high, low);
    else if (target && strcmp(target, "none")) {
        for (long i = 0; i < t->n; i++)
            square += (t->label[i] - mean) * (t->label[i] - mean) / n;
        bool scaled = strcmp(target, "zscore") == 0;
        fprintf(f, "# target: label = %.17g + %.17g score\n", mean, scaled ? sqrt(square) : 1);
    }
}

static void write_use(FILE *f, const struct solution *s, const struct table *t)
{
    const char *scaling = problem_word(s->cell, "scaling");
    bool unit = scaling && strcmp(scaling, "unit") == 0;
    const char *entry = t->mean ? "(a_index - mean)/sd" : unit ? "a_index/|a|" : "a_index";
    fprintf(f, "# score of a record a: sum of value * %s over the lines below%s\n", entry,
            number_of(s->cell, "intercept") == 1 ? "; the last index is the intercept, entry 1"
                                                 : "");
    write_labels(f, s, t);
}

static void write_head(FILE *f, const struct solution *s, const struct table *t)
{
    const char *scaling = problem_word(s->cell, "scaling");
    fprintf(f, "# assay model: index value%s, from 1; what is left out is 0\n",
            t && t->mean ? " mean sd" : "");
    fprintf(f, "# cell: %s\n", s->cell->text);
    if (t)
        fprintf(f, "# data: %s, %ld records\n", problem_word(s->cell, "data"), t->n);
    if (problem_word(s->cell, "loss"))
        fprintf(f, "# loss: %s, l2 %.17g, l1 %.17g\n", problem_word(s->cell, "loss"),
                number_of(s->cell, "l2"), number_of(s->cell, "l1"));
    fprintf(f, "# algorithm: %s\n", s->cell->algo->name);
    if (s->privacy.applies)
        fprintf(f, "# private: %s, eps %.10g at delta %.10g\n",
                is_private(&s->privacy) ? "as booked" : "NO",
                account_ledger_least(s->privacy.by), s->privacy.delta);
    else if (!isnan(record_value(s->record, "measure.objective")))   /* a private answer has none, since the value
                                                                        depends on the data */
        fprintf(f, "# objective: %.17g\n", record_value(s->record, "measure.objective"));
    fprintf(f, "# d: %ld\n", (long)s->facts->d);
    if (t) {
        fprintf(f, "# scaling: %s\n", scaling ? scaling : "none");
        write_use(f, s, t);
    }
}

static bool write_all(FILE *f, const struct solution *s)
{
    const struct table *t = table_of(s->cell);
    write_head(f, s, t);
    for (long j = 0; j < (long)s->facts->d; j++) {
        if (s->x[j] == 0)
            continue;
        fprintf(f, "%ld %.17g", j + 1, s->x[j]);
        if (t && t->mean)
            fprintf(f, " %.17g %.17g", j < t->d ? t->mean[j] : 0, j < t->d ? t->sd[j] : 1);
        fputc('\n', f);
    }
    return !ferror(f);
}

/* Writes the answer: comments that describe the run, then a line `index value` for each entry that is not 0,
 * counted from 1, with mean and sd of the column if the columns were scaled. The file appears whole or not at all.
 * IO_ERROR. */
static enum status model_write(const char *path, const struct solution *s, struct why *why)
{
    char part[4200];
    snprintf(part, sizeof part, "%s.%ld", path, (long)getpid());
    errno = 0;
    FILE *f = fopen(part, "w");
    bool whole = f && write_all(f, s);
    if (f)
        whole &= fclose(f) == 0;
    if (whole && rename(part, path) == 0)
        return OK;
    int error = errno;
    if (f)
        remove(part);
    return why_set(why, IO_ERROR, "--model %.200s: %s", path,
                   error ? strerror(error) : "cannot be written");
}

/* --- the exit code of a run */

static int finish(const struct record *r, const char *what)
{
    if (r->outcome == OUTCOME_OK)
        return EXIT_OK;
    fprintf(stderr, "assay: %s %s: %s\n", what, record_outcome_name(r->outcome), r->message);
    return r->outcome == OUTCOME_REFUSED ? EXIT_USAGE : EXIT_FAILED_CELL;
}

/* --- the time limit of a run. The run is in this process, so a timer ends the process. */

static char deadline_words[96];          /* the message of the handler, made before the timer starts */

static void too_late(int signal)
{
    if (write(STDERR_FILENO, deadline_words, strlen(deadline_words)) < 0)
        _exit(EXIT_USAGE);
    _exit(EXIT_FAILED_CELL);
}

/* Starts the timer. c: NULL, or the cell, which may have a deadline. No output is lost, as all of it is printed
 * after the run. */
static void set_deadline(const struct options *o, const char *verb, const struct cell *c)
{
    double whole, seconds = fmin(o->timed ? o->timeout : INFINITY, c ? c->run.timeout : INFINITY);
    if (!(seconds < 1e9))
        return;
    struct itimerval t = { .it_value.tv_usec = (suseconds_t)(1e6 * modf(seconds, &whole)) };
    t.it_value.tv_sec = (time_t)whole;
    snprintf(deadline_words, sizeof deadline_words,
             "%sassay: %s timeout: not done after %g s; see --timeout\n",
             isatty(STDERR_FILENO) ? "\n" : "", verb, seconds);
    signal(SIGALRM, too_late);
    setitimer(ITIMER_REAL, &t, NULL);
}

static void lift_deadline(void)
{
    setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
}

/* --- the verb solve */

/* Shows the progress of a run, on a terminal, after one second. */
static void see(void *ctx, double part) { progress_part(ctx, part); }

/* Puts the epsilons of the accountants into the record, for the formats that print records. */
static void put_epsilons(struct record *r, const struct privacy *p)
{
    char name[RECORD_NAME];
    for (int k = 0; p->applies && k < ACCOUNTANTS; k++) {
        if (isnan(p->by[k].eps))
            continue;
        snprintf(name, sizeof name, "eps.%s", p->by[k].name);
        record_put(r, name, p->by[k].eps);
    }
    if (p->applies)
        record_put(r, "eps.delta", p->delta);
}

/* Prints the answer, even if the model cannot be written, as the run may have taken long. Returns the exit code. */
static int answer(const struct options *o, const struct runner *runner, struct solution *s,
                  struct record *r)
{
    struct why why = { "" };
    price(s->cell, s->facts, runner_ledger(runner), &s->privacy);
    put_epsilons(r, &s->privacy);
    enum status written = o->model ? model_write(o->model, s, &why) : OK;
    s->model = o->model && written == OK ? o->model : NULL;
    print_solution(o, s);
    fflush(stdout);
    if (written != OK)
        return complain(written, &why);
    if (!no_optimum(s))
        return EXIT_OK;
    fprintf(stderr, "assay: solve: no certified optimum, so the excess is not known; "
            "--set problem.optimum=none asks for none\n");
    return EXIT_INCOMPLETE;
}

static int solve(const struct options *o, struct runner *runner, const struct cell *c)
{
    struct solution s = { .cell = c };
    struct progress progress;
    struct why why = { "" };
    const void *self;
    double *x;
    enum status known = runner_instance(runner, c, &self, &s.facts, &why);
    if (known != OK)
        return complain(known, &why);
    progress_begin_one(&progress, progress_wanted(STDERR_FILENO));
    runner_watch(runner, progress.on ? see : NULL, &progress);
    struct record *r = run_cell(runner, c, &x);
    lift_deadline();
    progress_end(&progress);
    int code = finish(r, "solve");
    s.record = r;
    s.x = x;
    if (code == EXIT_OK)
        code = answer(o, runner, &s, r);
    free(x);
    record_free(r);
    return code;
}

int verb_solve(struct options *o)
{
    struct runner *runner = runner_new((size_t)(o->memory * 0x1p20));
    struct cell *c = NULL;
    struct why why = { "" };
    enum status s = o->model ? model_free(o->model, o->force, &why) : OK;
    set_deadline(o, "solve", NULL);
    if (s == OK)
        s = solve_cell(o, runner, &c, &why);
    if (s == OK && isfinite(c->run.timeout))
        set_deadline(o, "solve", c);
    int code = s == OK ? solve(o, runner, c) : complain(s, &why);
    cell_free(c);
    runner_free(runner);
    return code;
}

/* --- the verb rerun */

/* Loads the method of a cell, given as text, if it is a program that a paper names. BAD_INPUT, IO_ERROR: the
 * program does not run. */
static enum status load_program_of(const char *text, struct why *why)
{
    const struct paper *p;
    const char *part = text;
    while (part && strncmp(part += strspn(part, " "), "algo ", 5))
        part = strchr(part, '|') ? strchr(part, '|') + 1 : NULL;
    const char *name = part ? part + 5 + strspn(part + 5, " ") : "";
    size_t n = strcspn(name, " |");
    for (int k = 0; (p = paper_at(k, true)); k++)
        for (const struct program *q = p->programs; q && q->name; q++)
            if (strlen(q->name) == n && strncmp(q->name, name, n) == 0 && !registry_algo(q->name))
                return method_load_program(q, why);
    return OK;
}

static int compare_stored(const struct options *o, const struct cell *c, const struct record *now)
{
    struct store *store = NULL;
    struct record *then = NULL;
    struct why why = { "" };
    enum status s = store_open(o->store, STORE_READ, 1, &store, &why);
    if (s != OK && s != DAMAGED) {
        fprintf(stderr, "not compared: %s\n", why.text);
        return EXIT_OK;
    }
    if (s == OK)
        s = store_find(store, c->text, c->fingerprint, &then, &why);
    store_close(store);
    if (s != OK)
        return complain(s, &why);
    bool equal = then && record_equal(then, now);
    fprintf(stderr, "%s\n", !then ? "the store has no record of this cell from this build and kind of machine"
                          : equal ? "equal to the stored record, bit for bit"
                                  : "DIFFERENT from the stored record of the same build");
    record_free(then);
    return !then || equal ? EXIT_OK : EXIT_CONTRADICTED;
}

int verb_rerun(struct options *o)
{
    struct cell *c = NULL;
    struct why why = { "" };
    if (o->arguments != 1) {
        fprintf(stderr, "assay: rerun: expected the text of one cell, as the report prints it\n");
        return EXIT_USAGE;
    }
    enum status s = load_program_of(o->argument[0], &why);
    if (s == OK)
        s = cell_parse(o->argument[0], &c, &why);
    if (s != OK)
        return complain(s, &why);
    struct runner *runner = runner_new((size_t)(o->memory * 0x1p20));
    set_deadline(o, "rerun", c);
    struct record *r = run_cell(runner, c, NULL);
    lift_deadline();
    record_write_heading(stdout, o->format);
    record_write(stdout, r, o->format, o->canonical);
    fflush(stdout);
    int code = finish(r, "rerun"), compared = compare_stored(o, c, r);
    record_free(r);
    cell_free(c);
    runner_free(runner);
    return first_code(code, compared);
}
