/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise_calibrate.c - how much noise a promise needs where sampling amplifies: an accountant turned
 * round. */
#include "account.h"
#include "account_rdp.h"
#include "noise.h"

struct promise { double q, times, delta; };

static double eps_at(double sd, const void *ctx)
{
    const struct promise *p = ctx;
    struct rdp c = { .failure = 0 };
    rdp_add_sampled_gaussian(&c, p->times, p->q, sd);
    return rdp_eps(RDP_CKS, &c, p->delta, NULL);
}

double noise_poisson_sd(double q, double times, double eps, double delta)
{
    const struct promise p = { .q = q, .times = times, .delta = delta };
    return account_calibrate(eps_at, &p, eps);
}
