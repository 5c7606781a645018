/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_prices.h - what methods expect to spend on planned cells: a step of its own after the plan, for who
 * orders, bounds or shows work; who only reads what a store has asks for no price. */
#ifndef ASSAY_PLAN_PRICES_H
#define ASSAY_PLAN_PRICES_H

#include "cell/cell.h"

/* expected of each cell, as its method says where it says anything. cell[] is put in another order, in
 * which each problem instance is made once. */
void plan_price(struct cell **cell, size_t n);

#endif
