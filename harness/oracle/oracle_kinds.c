/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_kinds.c - what tells the samples of a shared model (problem.h) apart does not depend on x,
 * and there are few such entries: full passes over one ticket count them once. */
#include "oracle/oracle_state.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, FEW = 256, KINDS_MAX = 1 << 12, SLOT_BITS = 13 };

void kinds_free(struct kinds *k)
{
    free(k->at);
    free(k->slot);
}

static void begin(struct kinds *k)
{
    size_t slots = (size_t)1 << SLOT_BITS;
    if (!k->at) {
        k->at = malloc(KINDS_MAX * sizeof *k->at);
        k->slot = malloc(slots * sizeof *k->slot);
        BUG_IF(!k->at || !k->slot);
    }
    memset(k->slot, 0, slots * sizeof *k->slot);
    k->n = 0;
    k->counted = true;
    k->many = false;
}

/* Where the kind of entry v in coordinate j is, or is to be. */
static int *slot_of(const struct kinds *k, long j, double v)
{
    uint64_t bits, mask = (UINT64_C(1) << SLOT_BITS) - 1;
    memcpy(&bits, &v, sizeof bits);
    uint64_t h = ((uint64_t)j * UINT64_C(0x9e3779b97f4a7c15) ^ bits) * UINT64_C(0xd6e8feb86659fd93);
    for (h >>= 64 - SLOT_BITS;; h = (h + 1) & mask) {
        const struct sample_kind *at = k->slot[h] ? &k->at[k->slot[h] - 1] : NULL;
        if (!at || (at->j == j && memcmp(&at->v, &v, sizeof v) == 0))
            return &k->slot[h];
    }
}

/* false: one more than may be kept. */
static bool add(struct kinds *k, long record, long j, double v)
{
    int *slot = slot_of(k, j, v);
    if (!*slot) {
        if (k->n == KINDS_MAX)
            return false;
        k->at[k->n++] = (struct sample_kind){ .j = j, .record = record, .v = v };
        *slot = (int)k->n;
    }
    k->at[*slot - 1].count++;
    return true;
}

static void count(struct oracle *o, struct kinds *k)
{
    long record[BLOCK], j[BLOCK];
    double v[BLOCK];
    begin(k);
    for (long from = 0; from < k->of.count && !k->many; from += BLOCK) {
        long left = k->of.count - from, m = left < BLOCK ? left : BLOCK;
        oracle_records(o, &k->of, from, m, record);
        o->problem->shared->entries(o->self, m, record, j, v);
        for (long i = 0; i < m && !k->many; i++)
            k->many = !add(k, record[i], j[i], v[i]);
    }
    k->many |= k->n > k->of.count / 4;
}

/* The largest ticket of a draw is the one that comes again: its parts may be asked in between. */
const struct kinds *oracle_kinds(struct oracle *o, const struct ticket *t)
{
    struct kinds *k = &o->kinds;
    if (t->count < FEW)
        return NULL;
    if (!k->of.count || !ticket_same(t, &k->of)) {
        if (!k->of.count || t->serial != k->of.serial || t->count > k->of.count) {
            k->of = *t;
            k->counted = false;
        }
        return NULL;
    }
    if (!k->counted)
        count(o, k);
    return k->many ? NULL : k;
}
