/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bag.h - settings by name, which claims and the command line hand to cells. */
#ifndef ASSAY_BAG_H
#define ASSAY_BAG_H

/* Settings by name ("problem.d", "algo.step", "goal.n", "run.trace"); a later one replaces an earlier one. */
struct assignment { char name[64]; double value; char *text; };   /* text NULL: the setting is a number */
struct bag { struct assignment *at; int count, room; };

void bag_put(struct bag *b, const char *name, double value);
void bag_put_text(struct bag *b, const char *name, const char *text);
void bag_copy(struct bag *to, const struct bag *from);      /* appends the settings of `from` to `to` */
/* Returns the last setting of this name; NULL: there is none. */
const struct assignment *bag_find(const struct bag *b, const char *name);
void bag_free(struct bag *b);

#endif
