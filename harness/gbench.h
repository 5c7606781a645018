/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gbench.h - Google Benchmark for C: a case is a name, a payload and a function of (payload,
 * iterations). The only C++ is gbench.cc. */
#ifndef ASSAY_GBENCH_H
#define ASSAY_GBENCH_H

#ifdef __cplusplus
extern "C" {
#endif

struct gbench_case {
    const char *name;
    void *payload;
    void (*run)(void *payload, long iterations);
    /* Called once before timing: 0 if the result is right. A case that is wrong is not timed. */
    int (*check)(void *payload);
    double bytes, items;             /* per iteration: memory touched, things made; 0: not shown */
};

/* Registers a case; it must outlive gbench_main. */
void gbench_register(const struct gbench_case *c);
/* Runs what argv selects (--benchmark_filter=...). Exit code; 1 if a check failed. */
int gbench_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
