/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.h - a program that runs as a method: its processes, and messages to and from it.
 *
 * The program reads messages from descriptor 3 and writes messages to descriptor 4. These are pipes, so that any
 * language can open them as /dev/fd/3 and /dev/fd/4, and what the program prints goes elsewhere. Descriptor 5 is
 * memory that the program and this process share, for long vectors.
 *
 * Between this process and the program stands a keeper. It ends the program and everything that the program has
 * started in three cases: the program ends, this process asks for it, or this process ends, however that
 * happens. The program runs in a process group of its own and in an empty folder, with a clean environment, one
 * thread and limits. This protects against mistakes and is no sandbox: the program may read and write what its
 * user may. */
#ifndef ASSAY_CLIENT_H
#define ASSAY_CLIENT_H

#include <sys/types.h>
#include "api/status.h"
#include "exec/wire.h"

enum { CLIENT_SAID = 4096, CLIENT_FOLDER = 256 };
struct client {
    pid_t keeper;                    /* the keeper; 0: the program does not run; -1: the keeper has ended */
    pid_t pid;                       /* the program, which leads its process group */
    pid_t runs;                      /* the process that the program has forked for the present cell; 0: there is
                                        none */
    pid_t owner;                     /* the process that started the program */
    int to;                          /* pipe of messages to the program; no pipe blocks */
    int from;                        /* pipe of messages from the program */
    int printed;                     /* pipe of what the program prints */
    int memory;                      /* descriptor of the shared memory */
    unsigned char *shared;           /* [shared_room] the shared memory, mapped; NULL: none is mapped */
    size_t shared_room;
    char folder[CLIENT_FOLDER];      /* the program's folder, in that of TMPDIR */
    char said[CLIENT_SAID];          /* [saids] the last bytes that the program printed */
    size_t saids;
    unsigned char *in;               /* [in_room] what was read, in_got bytes: the last message, of in_used bytes,
                                        and what came after it */
    size_t in_room, in_used, in_got;
    double ends;                     /* limit of real time: a time of clock_steady */
    double spends;                   /* limit of processor time: seconds of this process and the program together */
    double looks;                    /* the time at which the limits are looked at next */
    double began;                    /* the time at which the limits were set */
};

/* Starts argv[0]. memory: bytes of address space of each process of the program; 0: no limit. IO_ERROR: no
 * process could be made. A program that does not exist counts as one that has ended. */
enum status client_start(struct client *c, char *const argv[], size_t memory, struct why *why);
/* Ends the program and everything that it has started. */
void client_stop(struct client *c);
/* Sets the limits from now on: processor seconds of this process and the program together, and seconds of real
 * time. INFINITY: no limit. */
void client_limits(struct client *c, double processor, double real);
/* Lowers the limit of real time to `real` seconds from now on. */
void client_hurry(struct client *c, double real);
/* Makes room for `bytes` in the shared memory. IO_ERROR: there is no memory. */
enum status client_share(struct client *c, size_t bytes, struct why *why);
/* Empties the program's folder. */
void client_empty_folder(const struct client *c);

/* Sends a message. IO_ERROR: the program has ended. TIMED_OUT: a limit has passed. */
enum status client_send(struct client *c, const struct wire_out *w, struct why *why);
/* *kind, *in <- the next message, which has at most `most` bytes and is valid until the next call. IO_ERROR: the
 * program has ended, or sent what is no message. TIMED_OUT: a limit has passed. If the program has ended, *why has
 * the last line that it printed, too. */
enum status client_receive(struct client *c, size_t most, uint32_t *kind, struct wire_in *in, struct why *why);
/* Has something come after the last message? This call does not wait. */
bool client_has_more(struct client *c);
/* Waits, after the last message of a program that serves one cell, until the program has ended or a limit has
 * passed. IO_ERROR: the program has sent something more. */
enum status client_finish(struct client *c, struct why *why);
/* Returns the processor seconds of the program and of the process of the present cell; 0: they are unknown. */
double client_seconds(const struct client *c);
/* Returns the processor seconds of those children of the program that have ended and that it has waited for, to a
 * hundredth; 0: they are unknown. */
double client_ended_seconds(const struct client *c);
/* Returns words: the last line that the program printed, in printable characters; "": it has printed nothing. Lines
 * that Rscript adds below an error are passed over. */
const char *client_last_line(struct client *c, char words[160]);

#endif
