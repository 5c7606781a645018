/* SPDX-License-Identifier: GPL-3.0-or-later */
/* privacy.c - claims of Theorems 3 and 4 that private ERM and SCO are (eps, delta)-private. They are judged by the
 * ledger, by replay on neighbouring data, and by attacks (audit). */
#include "resque.h"

/* Settings under which a run makes some thousand gradients at eps < 1, so that there are releases for replay to
 * compare. */
#define FEW_RECORDS { "problem.d", 2 }, { "problem.n", 2000 }, { "problem.bias", 0.5 }, { "goal.n", 2000 }, \
                    { "goal.delta", 1e-3 }, { "algo.M", 1 }, { "algo.c_T", 1 }
#define REPLAYED "In the place of the claim that every private method has: at its 64 records a promise affords " \
                 "not " \
                 "one release, and nothing is to be judged."

const struct claim resque_privacy[] = {
    { .id = "resque/private.thm3.eps", .item = "C20 C27 1.3 3.11", .algo = "resque-private-erm",
      .problem = "coins", .axis = "eps", .measure = "privacy.eps",
      .cite = CITE "Theorem 3; what one record moves by parts/resque_erm.h",
      .says = "private ERM is (eps, delta)-private for one record replaced",
      .remark = "By an elementary bound on what one record moves, in every run and with rho/r = 64; the paper's "
                "own asks rho/r >= 3456 log^2(1/delta_0). The notes eps_A, eps_B, eps_C are its readings.",
      .kind = KIND_EXTENSION, .check = CHECK_PRIVATE,
      .with = { { "problem.d", 4 }, { "problem.bias", 0.5 }, { "goal.n", 2000 }, { "goal.delta", 1e-3 },
                { "algo.c_T", 1 }, { "algo.M", 1 } },
      .window = { { 0 }, { 0 }, { 2, 8, 3, 48 } },
      .control = { .algo = "planted-leak-sensitivity",
                   .why = "planted: half the sensitivity that is due" } },

    { .id = "resque/private.thm4.eps", .item = "C30 C31 1.3 3.13", .algo = "resque-private-sco",
      .problem = "coins", .axis = "eps", .measure = "privacy.eps",
      .cite = CITE "Theorem 4; what one record moves by parts/resque_erm.h",
      .says = "private SCO is (eps, delta)-private for one record replaced, each phase with all of eps",
      .kind = KIND_EXTENSION, .check = CHECK_PRIVATE,
      .with = { { "problem.d", 4 }, { "problem.bias", 0.5 }, { "goal.n", 4000 }, { "goal.delta", 1e-3 },
                { "algo.c_T", 1 }, { "algo.M", 1 }, { "algo.c_n", 4 } },
      .window = { { 0 }, { 0 }, { 4, 8, 2, 24 } },
      .control = { .algo = "planted-leak-sensitivity",
                   .why = "planted: half the sensitivity that is due" } },

    { .id = "resque/private.thm3.replay.eps", .item = "C20 C27 1.3 3.11", .algo = "resque-private-erm",
      .problem = "coins_stored", .axis = "eps", .measure = "privacy.eps",
      .cite = CITE "Theorem 3; what one record moves by parts/resque_erm.h",
      .says = "private ERM is (eps, delta)-private for one record replaced, on stored records",
      .remark = REPLAYED,
      .kind = KIND_EXTENSION, .check = CHECK_PRIVATE,
      .with = { FEW_RECORDS, { "algo.c_n", 8 } },
      .window = { { 0.9, 0.9, 1, 6 }, { 0 }, { 0.45, 0.9, 2, 48 } },
      .control = { .algo = "planted-leak-sensitivity",
                   .why = "planted: half the sensitivity that is due" } },

    { .id = "resque/private.thm4.replay.eps", .item = "C30 C31 1.3 3.13", .algo = "resque-private-sco",
      .problem = "coins_stored", .axis = "eps", .measure = "privacy.eps",
      .cite = CITE "Theorem 4; what one record moves by parts/resque_erm.h",
      .says = "private SCO is (eps, delta)-private for one record replaced, on stored records, each phase with "
              "all of "
              "eps",
      .remark = REPLAYED,
      .kind = KIND_EXTENSION, .check = CHECK_PRIVATE,
      .with = { FEW_RECORDS, { "algo.c_n", 8 } },
      .window = { { 0.9, 0.9, 1, 6 }, { 0 }, { 0.45, 0.9, 2, 48 } },
      .control = { .algo = "planted-leak-sensitivity",
                   .why = "planted: half the sensitivity that is due" } },

    { 0 }
};
