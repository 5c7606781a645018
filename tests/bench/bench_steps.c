/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_steps.c - a step of every method, compared with the gradients, values, projections and noise that it asked
 * for: the difference is the method's own work. Six things are timed of each method: a run, a longer run, the
 * questions of each of them asked again without the method (steps.h), and these questions with a plain step x + 0 g
 * after each gradient g. Work that is done once a run, such as opening the oracle, is in both lengths and cancels;
 * a step is a batch step or a minimisation of a linear function. Runs leave no record, so that no measures are
 * evaluated.
 *
 * Without the method nothing reads an answer, and the processor works at several questions at once. In a run a
 * question waits for the step that follows the previous answer. Where a gradient takes less than 100 ns, this wait
 * is a large part of a step of any method. The questions with a plain step have it: the plain step is the least
 * that a method can do with a gradient. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nights/gbench.h"
#include "cell/registry.h"
#include "bench/steps.h"

enum { METHODS_MOST = 128, LENGTHS = 2, ROUNDS_MOST = 1024 };
/* What is timed: a run, its questions, and its questions with a plain step after each gradient. */
enum timed { STEP, ASKED, PLAIN, KINDS };

/* One of the two lengths of run of a method, short or long. */
struct side {
    struct stepping *of;
    struct cell *cell;
    struct runner *runner;           /* the runner of this length, since a runner keeps few instances */
    struct pass pass;
    struct script script;
    struct counts asked;             /* the counts of the questions when they are asked again */
    double steps, took[KINDS][ROUNDS_MOST];  /* steps: those of the run; took: seconds by kind and timing */
};

/* One method. */
struct stepping {
    const struct steps_case *c;
    struct side side[LENGTHS];
    long d, repeat, rounds;          /* repeat: runs in one timing, enough for the clock to measure; rounds: how
                                        often the six things have been timed. d: dimension */
    double n;                        /* records of the instance; infinite: a stream */
    bool tried, right;               /* tried: the checks were made; right: they were passed */
    char what[200];                  /* in words, the check that has failed; empty: none has */
};

static struct stepping *methods;
static struct gbench_case cases[METHODS_MOST + 1];
static int count;
static struct arena *work, *answers;

/* --- timing a run and its questions */

static bool run_once(struct side *s)
{
    struct why why = { "" };
    if (run_pass(s->runner, s->cell, &s->pass, &why) == OK)
        return true;
    snprintf(s->of->what, sizeof s->of->what, "%.180s", why.text);
    return false;
}

static void run(struct side *s, long times)
{
    while (times--)
        run_once(s);
}

static void ask(struct side *s, bool plain, long times)
{
    const void *self;
    const struct facts *f;
    struct why why;
    while (times--) {
        if (runner_instance(s->runner, s->cell, &self, &f, &why) != OK)
            abort();
        script_play(&s->script, s->cell, self, f, work, s->pass.x, plain, &s->asked);
    }
}

static void ask_again(struct side *s, long times) { ask(s, false, times); }
static void ask_in_turn(struct side *s, long times) { ask(s, true, times); }

/* Returns the processor seconds of one of `times` runs of the method, or of its questions. Other processes do not
 * count. */
static double seconds_of(void (*what)(struct side *, long), struct side *s, long times)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    what(s, times);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    return ((double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec)) / (double)times;
}

/* Times the six things of a method in turn, within milliseconds, so that a slow moment of the machine affects all
 * of them. */
static void rounds(void *p, long iterations)
{
    struct stepping *m = p;
    for (long k = 0; k < iterations; k++) {
        long at = m->rounds++ % ROUNDS_MOST;
        for (int i = 0; i < LENGTHS; i++) {
            m->side[i].took[STEP][at] = seconds_of(run, &m->side[i], m->repeat);
            m->side[i].took[ASKED][at] = seconds_of(ask_again, &m->side[i], m->repeat);
            m->side[i].took[PLAIN][at] = seconds_of(ask_in_turn, &m->side[i], m->repeat);
        }
    }
}

/* --- checks, made once for a method */

static bool open_side(struct side *s)
{
    const struct steps_case *c = s->of->c;
    char form[300], text[400];
    struct why why = { "" };
    const void *self;
    const struct facts *f;
    snprintf(form, sizeof form, "problem %s | algo %s %s | goal %s | run seed=1 | rep 1", c->problem, c->algo,
             c->with, c->goal);
    snprintf(text, sizeof text, form, c->length[s - s->of->side]);
    s->runner = runner_new(0);
    if (cell_parse(text, &s->cell, &why) != OK || run_fits(s->runner, s->cell, &why) != OK ||
        runner_instance(s->runner, s->cell, &self, &f, &why) != OK) {
        snprintf(s->of->what, sizeof s->of->what, "%.180s", why.text);
        return false;
    }
    s->of->d = (long)f->d;
    s->of->n = f->n;
    s->pass.seed = s->cell->seed;
    s->pass.x = arena_vec(answers, s->of->d);
    return true;
}

/* Two runs must have the same bits, whether their questions are recorded or not. */
static bool runs_right(struct side *s)
{
    size_t bytes = (size_t)s->of->d * sizeof(double);
    double *first = malloc(bytes);
    if (!first || !run_once(s))
        return false;
    memcpy(first, s->pass.x, bytes);
    struct counts counts = s->pass.counts;
    steps_listen(&s->script);
    bool again = run_once(s);
    steps_listen(NULL);
    bool right = again && !memcmp(first, s->pass.x, bytes) &&
                 !memcmp(&counts, &s->pass.counts, sizeof counts);
    if (!right && !*s->of->what)
        snprintf(s->of->what, sizeof s->of->what, "another run, another answer");
    free(first);
    return right;
}

/* The questions asked again must have the same counts as the run, kind by kind. */
static bool asked_right(struct side *s)
{
    static const enum count kinds[] = {
        COUNT_sample_grads, COUNT_sample_values, COUNT_full_grads, COUNT_full_values, COUNT_coords,
        COUNT_piece_values, COUNT_piece_grads, COUNT_smooth_grads, COUNT_prox, COUNT_prox_coords,
        COUNT_linear_mins, COUNT_project_0, COUNT_project_1, COUNT_taken, COUNT_nonzeros, COUNT_noise_gauss,
        COUNT_noise_laplace, COUNT_noise_max, COUNT_noise_tree
    };
    ask_again(s, 1);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        double was = s->pass.counts.of[kinds[k]], is = s->asked.of[kinds[k]];
        if (was != is) {
            snprintf(s->of->what, sizeof s->of->what, "asked %g %s, asks again %g", was,
                     count_name((int)kinds[k]), is);
            return false;
        }
    }
    return true;
}

static bool steps_right(struct side *s)
{
    double theory = s->of->c->steps[s - s->of->side];
    s->steps = s->pass.counts.of[COUNT_batch_steps] + s->pass.counts.of[COUNT_linear_mins];
    if (s->steps > 0 && (theory == 0 || s->steps == theory))
        return true;
    snprintf(s->of->what, sizeof s->of->what, "%g steps, the theory says %g", s->steps, theory);
    return false;
}

static int right(void *p)
{
    static const double ENOUGH = 3e-4;
    struct stepping *m = p;
    m->tried = true;
    m->right = m->c->problem;
    for (int k = 0; k < LENGTHS && m->right; k++) {
        struct side *s = &m->side[k];
        s->of = m;
        m->right = open_side(s) && runs_right(s) && asked_right(s) && steps_right(s);
    }
    if (m->right && !(m->side[1].steps > m->side[0].steps)) {
        snprintf(m->what, sizeof m->what, "the longer run has %g steps", m->side[1].steps);
        m->right = false;
    }
    m->repeat = m->right ? (long)ceil(ENOUGH / seconds_of(run, &m->side[0], 3)) : 0;
    return !m->right;
}

/* --- the printed table, of medians over the timings */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the median over the latest timings of the time by which the longer run exceeds the shorter, per step. */
static double median_step(const struct stepping *m, enum timed kind)
{
    static double more[ROUNDS_MOST];
    long n = m->rounds < ROUNDS_MOST ? m->rounds : ROUNDS_MOST;
    for (long k = 0; k < n; k++)
        more[k] = m->side[1].took[kind][k] - m->side[0].took[kind][k];
    qsort(more, (size_t)n, sizeof *more, by_size);
    return (more[(n - 1) / 2] + more[n / 2]) / 2 / (m->side[1].steps - m->side[0].steps);
}

/* Returns number k of a method: 0: the seconds of a step; 1: those of its questions asked again; 2: their
 * ratio; 3: the ratio of a step to the questions with a plain step. The nights keep the times. *name <- what the
 * number is, NULL after the last. */
static double found(void *p, int k, const char **name)
{
    static const char *const names[] = { GBENCH_TIME_OF "a step", GBENCH_TIME_OF "asked", "ratio", "over plain",
                                         NULL };
    const struct stepping *m = p;
    *name = names[k];
    return k < 2 ? median_step(m, k == 0 ? STEP : ASKED)
                 : median_step(m, STEP) / median_step(m, k == 2 ? ASKED : PLAIN);
}

static void print_method(const struct stepping *m)
{
    double step = median_step(m, STEP), asked = median_step(m, ASKED), plain = median_step(m, PLAIN);
    printf("  %-21s %-16s %6g %5ld %6g %10.4g %10.4g %10.4g %6.2f %6.2f  %s\n", m->c->algo,
           m->side[0].cell->problem->name, m->n, m->d, m->side[1].steps - m->side[0].steps, 1e9 * step, 1e9 * asked,
           1e9 * plain, step / asked, step / plain,
           step <= 1.5 * asked ? "" : m->c->why ? m->c->why : "not explained");
}

static void print(void)
{
    printf("  %-21s %-16s %6s %5s %6s %10s %10s %10s %6s %6s\n", "method", "problem", "n", "d", "steps",
           "ns a step", "ns asked", "ns plain", "ratio", "/plain");
    for (const struct stepping *m = methods; m < methods + count; m++)
        if (m->tried && !m->c->problem)
            printf("  %-21s NOT TIMED: it has no line in tests/bench/steps_cases.c; add one\n", m->c->algo);
        else if (m->tried && !m->right)
            printf("  %-21s WRONG RESULT: %s\n", m->c->algo, m->what);
        else if (m->rounds)
            print_method(m);
}

/* --- cases */

/* A method without a row in steps_cases.c gets a case without a problem, which is an error: no new method is
 * forgotten. */
static const struct steps_case *case_of(const char *algo)
{
    for (const struct steps_case *c = steps_cases; c->algo; c++)
        if (!strcmp(c->algo, algo))
            return c;
    static struct steps_case none[METHODS_MOST];
    static int missing;
    none[missing].algo = algo;
    return &none[missing++];
}

static void begin(void)
{
    const struct algo *const *algos = registry_algos();
    while (algos[count])
        count++;
    methods = calloc((size_t)count, sizeof *methods);
    if (!methods || count >= METHODS_MOST)
        abort();
    for (int k = 0; k < count; k++) {
        methods[k].c = case_of(algos[k]->name);
        cases[k] = (struct gbench_case) { .kernel = methods[k].c->algo, .size = "a round", .payload = &methods[k],
                                          .run = rounds, .check = right, .found = found };
    }
    work = arena_new(0);
    answers = arena_new(0);
}

static void end(void)
{
    for (int k = 0; k < count; k++)
        for (int i = 0; i < LENGTHS; i++) {
            struct side *s = &methods[k].side[i];
            cell_free(s->cell);
            runner_free(s->runner);
            free(s->pass.params);
            script_free(&s->script);
        }
    free(methods);
    arena_free(work);
    arena_free(answers);
}

const struct gbench_group bench_steps = { "steps", cases, begin, end, print };
