/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts_public.h - constants that somebody declares known without the data. */
#ifndef ASSAY_FACTS_PUBLIC_H
#define ASSAY_FACTS_PUBLIC_H

#include "facts.h"
#include "status.h"

/* *mask <- the bits of the facts of a list by commas; an empty one: none. BAD_INPUT: a word of it is
 * no fact, or f_star, which nobody is told. */
enum status facts_public(const char *names, unsigned long *mask, struct why *why);

#endif
