/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mlmc.c - one bias-reduced draw (parts/mlmc.h; equation (1) of Asi, Carmon, Jambulapati, Jin, Sidford 2021)
 * for psi(x) = (mu/2)|x|^2. The strata are the levels J. Rare levels contribute as much to the variance and to the
 * cost as frequent ones, and a sample of draws without strata would contain few of them. With the parameter `clip`
 * a draw is shortened to |xhat - x_0| <= clip; it is then bounded, but has a bias that no T_max removes. */
#include <string.h>
#include "about_target.h"
#include "mlmc.h"

struct draw {
    double mu, a, clip;
    long T_max;
    const char *schedule, *rough;
};

static const struct param params[] = {
    PARAM(draw, mu, 1, 1e-100, 1e100, "f/x^2", "modulus of psi"),
    PARAM(draw, T_max, 4096, 1, 0x1p40, "gradients", "budget of the largest level"),
    PARAM(draw, a, 1, 0.1, 4, "1", "P(J = j) ~ 2^(-a j)"),
    PARAM(draw, clip, INFINITY, 1e-100, INFINITY, "x", "radius about x_0 that a draw is cut to"),
    PARAM_WORD(draw, schedule, "budget", "budget|regular",
               "epochs of level j: those that 2^j has room for, or max(0, j - 4)"),
    PARAM_WORD(draw, rough, "same-run", "same-run|printed|own-run",
               "x_(J-1): of the run of x_J; as Remark 1 is printed; of a run of its own"),
    PARAM_END
};

static struct mlmc levels(const struct draw *p, struct oracle *o)
{
    return (struct mlmc){ .run = { .o = o, .grad = epoch_sgd_sample, .ctx = o, .mu = p->mu },
                          .jmax = mlmc_levels((double)p->T_max), .a = p->a == 1 ? 0 : p->a,
                          .regular = strcmp(p->schedule, "regular") == 0,
                          .rough = strcmp(p->rough, "printed") == 0   ? ROUGH_PRINTED
                                   : strcmp(p->rough, "own-run") == 0 ? ROUGH_OWN_RUN
                                                                      : ROUGH_SAME_RUN };
}

static int strata(const void *vp, double *weight)
{
    struct mlmc m = levels(vp, NULL);
    for (int j = 1; j <= m.jmax; j++)
        weight[j - 1] = mlmc_probability(&m, j);
    weight[m.jmax] = exp2(-(m.a > 0 ? m.a : 1) * m.jmax);
    return m.jmax + 1;
}

/* Returns the number of gradients that one draw from each level costs in total. */
static double expects(const struct facts *f, const void *vp)
{
    struct mlmc m = levels(vp, NULL);
    double sum = 0;
    for (int j = 1; j <= m.jmax; j++)
        sum += mlmc_gradients(&m, j);
    return sum;
}

static bool target(const struct problem *problem, const void *self, const void *vp,
                   struct arena *w, long d, double *out)
{
    return target_prox(problem, self, ((const struct draw *)vp)->mu, w, d, out);
}

/* v[d] <- a draw given the stratum: J = stratum + 1, where the last stratum stands for J > jmax. */
static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                        int stratum, double *v)
{
    const struct draw *p = vp;
    struct mlmc m = levels(p, o);
    mlmc_reserve(&m, w);
    arena_seal(w);
    vec_zero(oracle_dim(o), v);
    if (mlmc_draw(&m, stratum + 1, v))           /* mlmc_draw leaves x_0 in m.run.x */
        vec_project_ball(oracle_dim(o), m.run.x, p->clip, v);
    return OK;
}

static const struct functional functionals[] = { TARGET_FUNCTIONALS, { 0 } };

const struct estimator estimator_mlmc = {
    .name = "mlmc",
    .doc = "one bias-reduced estimate of a regularised optimum, by levels of EpochSGD",
    .cite = "Asi, Carmon, Jambulapati, Jin, Sidford, Stochastic Bias-Reduced Gradient Methods "
            "(NeurIPS 2021), equation (1) and Appendix B.1",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_CONVEX,
    .params = params,
    .params_size = sizeof(struct draw),
    .vectors = 1,
    .functionals = functionals,
    .strata = strata,
    .target = target,
    .expects = expects,
    .draw = draw,
};
