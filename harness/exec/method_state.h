/* SPDX-License-Identifier: GPL-3.0-or-later */
/* method_state.h - a program that is a method, as three files share it: method.c has the list of all programs,
 * method_hello.c reads a declaration, and method_run.c runs a cell. */
#ifndef ASSAY_METHOD_STATE_H
#define ASSAY_METHOD_STATE_H

#include <string.h>
#include <sys/types.h>

#include "algo.h"
#include "exec/client.h"
#include "exec/method.h"
#include "facts.h"
#include "param.h"

enum { PARAMS_MAX = 24, WORDS_MAX = 64, SITES_MAX = 16 };

/* The name of a place where noise is added. */
struct site { char name[80]; };

struct exec_method {
    char name[64];
    char *spec;                      /* NAME=exec:PROGRAM ARGS, as it was loaded */
    bool of_paper;                   /* method_load_program loaded it */
    char *argv[WORDS_MAX];           /* the command, and the NULL that ends it */
    char doc[200], cite[200];
    bool forks;                      /* one program runs many cells, and forks for each; false: it runs one cell */
    bool shares;                     /* long vectors stand in shared memory */
    bool aside;                      /* the program has noise or data of its own, which the harness does not see */
    pid_t checked;                   /* the process that has run a cell of this method twice */
    struct param param[PARAMS_MAX + 2];
    char words[PARAMS_MAX][5][160];  /* of a parameter: name, default, choices, unit, doc */
    unsigned long facts;             /* the constants that the program is told, as bits */
    struct site site[SITES_MAX];     /* [sites] the places where noise has been added so far */
    int sites;
    struct algo algo;
    struct client client;
};

/* The parameters of a run, as method_tune leaves them. The first members are those of the parameter table. */
struct exec_params {
    const char *method;              /* the value of the first parameter, whose default is the method's name */
    union { double real; long count; const char *word; } value[PARAMS_MAX];
    struct facts facts;
    struct goal goal;
};

#define METHOD_LETTERS "abcdefghijklmnopqrstuvwxyz0123456789_"
/* Has the word s at least one character, and only characters of `letters`? */
static inline bool method_word(const char *s, const char *letters) { return *s && strspn(s, letters) == strlen(s); }

/* Returns the loaded method of this name; NULL: there is none. */
struct exec_method *method_named(const char *name);
/* Starts the program. *in <- its declaration, which is valid until the next message. IO_ERROR, TIMED_OUT. */
enum status method_start(struct exec_method *m, struct wire_in *in, struct why *why);
/* Reads the declaration into m->algo, except for its functions, which method_load sets. hash[33] <- the hash of
 * everything that the method consists of. BAD_INPUT, IO_ERROR. */
enum status method_hello(struct exec_method *m, struct wire_in in, char hash[33], struct why *why);
/* The functions `tune` and `run` of m->algo, of every program. */
enum status method_tune(const struct facts *f, const struct goal *goal, void *params, struct why *why);
enum status method_run(struct oracle *o, const void *params, struct arena *w, struct rng *rng, double *x);

#endif
