/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire.h - messages between the harness and a program that is a method (docs/methods.md). A message has its
 * number of bytes and its kind, both of 32 bits, and then fields: 32-bit numbers, doubles, and texts or vectors
 * with their length in front. All numbers are little-endian. Where the program shares memory with the harness,
 * and the points of a message have more than WIRE_SHARED numbers together, the message has only their lengths;
 * the numbers stand in the shared memory, one vector after another from its start. */
#ifndef ASSAY_WIRE_H
#define ASSAY_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* WIRE_SHARED: the most numbers that the points of a message have together in the message itself.
 * WIRE_SHARED_BYTES: the size of the shared memory, unless one vector is longer. */
enum { WIRE_VERSION = 1, WIRE_HEADER = 8, WIRE_SHARED = 8192, WIRE_SHARED_BYTES = 64 << 20 };

/* Kinds of messages from the harness. Every question of a program is answered by ANSWER or STOP. */
enum wire_said {
    SAY_HELLO = 1,           /* version of the protocol: the program is to declare its method */
    SAY_BEGIN = 2,           /* start x, radius of the feasible set, seed, parameters, facts, goal: a run begins */
    SAY_ANSWER = 3,          /* what was asked for */
    SAY_STOP = 4             /* the budget is spent: answer with what you have */
};

/* Kinds of messages from a program, with their fields; what stands behind -> is the answer to the question. */
enum wire_asked {
    ASK_HELLO = 1,           /* what the method declares */
    ASK_READY = 2,           /* the number of the process that runs the cell */
    ASK_IDLE = 3,            /* that process has ended: the next cell may begin */
    ASK_VALUE = 10,          /* m points -> m values of the objective */
    ASK_GRADIENT = 11,       /* m points -> m gradients */
    ASK_BATCH = 12,          /* scheme, number or rate of samples -> ticket, count: the harness draws the indices */
    ASK_SAMPLE_VALUE = 13,   /* ticket, x -> mean value at x over the samples of the ticket */
    ASK_SAMPLE_GRADIENT = 14,/* ticket, C, x -> mean gradient, each clipped to norm C; C infinite: without
                                clipping */
    ASK_PROX = 15,           /* t, v -> the proximal point */
    ASK_PROJECT = 16,        /* x -> its projection on the feasible set */
    ASK_RELEASE = 17,        /* name, law, norm, sensitivity, scale, ticket, v -> v with noise, booked */
    ASK_MARK = 18,           /* x: what would be the answer now */
    ASK_DEPTH = 19,          /* number of vector operations, for oracle_depth */
    ASK_END = 20,            /* x: the answer */
    ASK_FAIL = 21            /* text: the method gives up, with its reason */
};

/* A message that is being written. */
struct wire_out {
    unsigned char *at;               /* [room] the message, of which n bytes are written */
    size_t n, room;
    long points;                     /* how many vectors of one length the message has; wire_begin sets it to 1 */
    unsigned char *shared;           /* [shared_room] memory for long vectors, of which shared_n bytes are written;
                                        NULL: none */
    size_t shared_n, shared_room;
};
/* Begins a message of this kind. */
void wire_begin(struct wire_out *w, uint32_t kind);
void wire_u32(struct wire_out *w, uint32_t v);
void wire_f64(struct wire_out *w, double v);
void wire_text(struct wire_out *w, const char *text);
/* Appends a vector. It is a bug if the shared memory has no room for it. */
void wire_vec(struct wire_out *w, long d, const double *x);
/* Writes the number of bytes in front: the message is then w->at[w->n]. */
void wire_end(struct wire_out *w);
void wire_free(struct wire_out *w);

/* A message that is read field by field. */
struct wire_in {
    const unsigned char *at;         /* [n] the fields, of which `next` bytes are read */
    size_t n, next;
    bool bad;                        /* a field was not there, or too long; all later fields are 0 */
    long points;                     /* how many vectors of one length the message has */
    const unsigned char *shared;     /* [shared_room] memory with long vectors, of which shared_n bytes are read;
                                        NULL: none */
    size_t shared_n, shared_room;
};
uint32_t wire_get_u32(struct wire_in *w);
double wire_get_f64(struct wire_in *w);
/* text[room] <- a text. w->bad <- the text is longer, or has a zero byte. */
void wire_get_text(struct wire_in *w, size_t room, char *text);
/* x[d] <- a copy of a vector. w->bad <- the vector has not d numbers. */
void wire_get_vec(struct wire_in *w, long d, double *x);
/* Has every byte been read, and nothing been missing? */
bool wire_whole(const struct wire_in *w);

#endif
