/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_book.h - the ledger of a run as uses per record: what account_ledger.c adds up. */
#ifndef ASSAY_ACCOUNT_BOOK_H
#define ASSAY_ACCOUNT_BOOK_H

#include "privacy/account.h"
#include "privacy/ledger.h"

/* Equal mechanisms on the records [first, first + count), `times` of them for each record. */
struct use {
    double first, count, times;
    double mu, eps0;                 /* Gaussian: mu, eps0 = 0; pure: the other way round */
    double q, failure;               /* q > 0: amplified, a record takes part with probability q */
    double apart;                    /* q > 0: mu between any of: it does, does not, is changed */
    enum sampling scheme;
    enum mechanism mechanism;
};

struct book {
    struct use *use;
    long n, room;
    struct account_edge *edge;       /* [edges] of the uses, which do not change any more */
    long edges;
    double *price;                   /* [n] scratch */
    bool gaussian, pure;             /* nothing but such mechanisms */
    bool loose;                      /* some prices are bounds: nothing follows from below */
    double failure;                  /* of the record that pays most */
};

/* Appends a use. */
void book_add(struct book *b, const struct use *u);
/* Of prefix sums and iterations, whose steps do not compose one by one: l->entry[k] is b->use[k],
 * which keeps its failure; what its steps cost together is added. */
void book_streams(const struct ledger *l, struct book *b);
/* Noise that is (eps0, 0)-private by itself. */
bool book_is_pure(enum mechanism m);
/* Draws with replacement that were released from. */
double book_draws(const struct ledger *l);
/* excess: probability of more occurrences than are priced, of each draw with replacement; n: stored
 * records, infinite for a stream. Everything of b but b->failure is filled. */
void book_open(const struct ledger *l, double n, double excess, struct book *b);
void book_close(struct book *b);

#endif
