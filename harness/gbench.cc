/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gbench.h"

#include <benchmark/benchmark.h>

static int failures;

static void run_case(benchmark::State &state, const gbench_case *c)
{
    if (c->check && c->check(c->payload)) {
        failures++;
        state.SkipWithError("wrong result");
        return;
    }
    while (state.KeepRunningBatch(64))
        c->run(c->payload, 64);
    double n = static_cast<double>(state.iterations());
    if (c->bytes > 0)
        state.SetBytesProcessed(static_cast<int64_t>(n * c->bytes));
    if (c->items > 0)
        state.SetItemsProcessed(static_cast<int64_t>(n * c->items));
}

extern "C" void gbench_register(const gbench_case *c)
{
    benchmark::RegisterBenchmark(c->name, run_case, c);
}

extern "C" int gbench_main(int argc, char **argv)
{
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 2;
    benchmark::RunSpecifiedBenchmarks();
    return failures ? 1 : 0;
}
