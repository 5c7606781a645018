/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_message.c - what a method program sends: as a declaration, and as questions in a run on stored data. A
 * declaration is refused or read; questions are answered until the run ends, and none is answered beyond the
 * budget. */
#include <fcntl.h>

#include "cell/cell.h"
#include "exec/method_internal.h"
#include "fuzz/fuzz_files.h"
#include "oracle/oracle_state.h"

enum { D = 4, BUDGET = 1000 };

static void ask(const uint8_t *data, size_t size)
{
    static struct arena *memory;                 /* kept, since the system gives its chunks slowly */
    struct bag bag = { 0 };
    struct cell *c;
    struct why why;
    struct facts facts;
    struct oracle o;
    void *self;
    double x[D] = { 0 };
    if (!memory)
        memory = arena_new(0);
    arena_reset(memory);
    bag_put(&bag, "problem.d", D);
    bag_put(&bag, "problem.n", 8);
    BUG_IF(cell_make("spectral_stored", "sgd", &bag, 0, &c, &why) != OK);
    struct rng stream = rng_stream(1);
    BUG_IF(c->problem->make(c->problem_params, &stream, memory, &self, &facts, &why) != OK);
    const unsigned calls = CALL_VALUE | CALL_GRAD | CALL_SAMPLES | CALL_SAMPLE_VALUES | CALL_NOISE;
    oracle_open(&o, c->problem, self, &facts, calls, &stream, 1, memory);
    o.budget.of[COUNT_sample_grads] = o.budget.of[COUNT_sample_values] = o.budget.of[COUNT_taken] = BUDGET;
    struct client from = { .keeper = -1, .memory = -1, .printed = -1, .to = open("/dev/null", O_WRONLY | O_CLOEXEC),
                           .from = open(fuzz_file(data, size), O_RDONLY | O_CLOEXEC) };
    BUG_IF(from.from < 0);
    (void)method_answer(&o, calls, &from, x, &why);
    BUG_IF(o.counts.of[COUNT_sample_grads] > BUDGET || o.counts.of[COUNT_sample_values] > BUDGET ||
           o.counts.of[COUNT_taken] > BUDGET);
    close(from.from);
    close(from.to);
    free(from.in);
    oracle_release(&o);
    cell_free(c);
    bag_free(&bag);
}

FUZZ(message)
{
    struct why why;
    method_read(data, size, &why);
    ask(data, size);
    return 0;
}
