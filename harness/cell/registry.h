/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry.h - lists of every algorithm, estimator, problem family and paper. The build generates the lists from
 * the folders, so adding a unit adds one file. Planted units, which are wrong on purpose, stand in separate
 * lists. */
#ifndef ASSAY_REGISTRY_H
#define ASSAY_REGISTRY_H

#include "algo.h"
#include "claim.h"
#include "estimator.h"
#include "problem.h"

/* Each list ends with NULL; units of plug-ins come after those of the folders. */
const struct algo *const *registry_algos(void);
const struct estimator *const *registry_estimators(void);
const struct problem *const *registry_problems(void);
const struct paper *const *registry_papers(void);
const struct algo *const *registry_planted_algos(void);
const struct estimator *const *registry_planted_estimators(void);
const struct paper *const *registry_planted_papers(void);

/* Each returns the unit of this name, also a planted one; NULL: there is none. */
const struct algo *registry_algo(const char *name);
const struct estimator *registry_estimator(const char *name);
const struct problem *registry_problem(const char *name);

/* Adds a paper that lives as long as the program; the caller has checked that its name is new. hash: of its
 * sources, in hexadecimal; "": not known. */
void registry_add_paper(const struct paper *unit, const char *hash);
/* Adds a method that lives as long as the program; the caller has checked that its name is new. hash: as of
 * registry_add_paper. */
void registry_add_algo(const struct algo *unit, const char *hash);

/* Returns the hash of a unit's preprocessed source, in hexadecimal; "": not known. */
const char *registry_source_hash(const void *unit);
/* Returns the core hash: a hash of the compiler, of its flags and of all sources that can change a number, those of
 * units left out. */
const char *registry_core_hash(void);

/* The generated tables, which only registry.c reads. */
struct registry_hash { const void *unit; const char *hash; };
extern const struct algo *const registry_algos_[], *const registry_planted_algos_[];
extern const struct estimator *const registry_estimators_[], *const registry_planted_estimators_[];
extern const struct problem *const registry_problems_[], *const registry_planted_problems_[];
extern const struct paper *const registry_papers_[], *const registry_planted_papers_[];
extern const struct registry_hash registry_hashes_[];
extern const char registry_core_hash_[];

#endif
