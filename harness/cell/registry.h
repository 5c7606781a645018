/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry.h - every algorithm, estimator, problem family and paper of the folders; the tables are
 * generated, so adding one touches one file. Planted ones (wrong on purpose) stand apart. */
#ifndef ASSAY_REGISTRY_H
#define ASSAY_REGISTRY_H

#include "algo.h"
#include "claim.h"
#include "estimator.h"
#include "problem.h"

/* Each list ends with NULL; units of plug-ins stand behind those of the folders. */
const struct algo *const *registry_algos(void);
const struct estimator *const *registry_estimators(void);
const struct problem *const *registry_problems(void);
const struct paper *const *registry_papers(void);
const struct algo *const *registry_planted_algos(void);
const struct estimator *const *registry_planted_estimators(void);
const struct problem *const *registry_planted_problems(void);
const struct paper *const *registry_planted_papers(void);

/* By name, planted ones included; NULL if there is none. */
const struct algo *registry_algo(const char *name);
const struct estimator *registry_estimator(const char *name);
const struct problem *registry_problem(const char *name);
/* The paper that owns a claim. */
const struct paper *registry_paper_of(const struct claim *c);

/* A unit of a plug-in, which lives as long as the program; the plug-in's file and the hash of its
 * bytes stand for its source. The caller has seen to it that the name is new. */
void registry_add_algo(const struct algo *unit, const char *file, const char *hash);
void registry_add_estimator(const struct estimator *unit, const char *file, const char *hash);
void registry_add_problem(const struct problem *unit, const char *file, const char *hash);
void registry_add_paper(const struct paper *unit, const char *file, const char *hash);

/* Hash of the preprocessed source of a unit (hex), and the file it stands in. */
const char *registry_source_hash(const void *unit);
const char *registry_source_file(const void *unit);
/* Hash of all other sources that can change a number, of compiler and flags. */
const char *registry_core_hash(void);

/* The generated tables; only registry.c reads them. */
struct registry_hash { const void *unit; const char *file, *hash; };
extern const struct algo *const registry_algos_[], *const registry_planted_algos_[];
extern const struct estimator *const registry_estimators_[], *const registry_planted_estimators_[];
extern const struct problem *const registry_problems_[], *const registry_planted_problems_[];
extern const struct paper *const registry_papers_[], *const registry_planted_papers_[];
extern const struct registry_hash registry_hashes_[];
extern const char registry_core_hash_[];

#endif
