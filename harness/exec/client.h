/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.h - a program that runs as a method: its processes, and messages to and from it.
 *
 * The program reads messages from descriptor 3 and writes them to descriptor 4, which are pipes, so that any language can
 * open them as /dev/fd/3 and /dev/fd/4; what it prints goes elsewhere. Descriptor 5 is memory that both share, for long
 * vectors. Between this process and the program stands a keeper: it ends the program and everything that the program has
 * started when the program ends, when it is told to, or when this process ends, however that happens. The program runs
 * in a process group and an empty folder of its own, with a clean environment, one thread and limits. This protects
 * against mistakes and is no sandbox: the program may read and write what its user may. */
#ifndef ASSAY_CLIENT_H
#define ASSAY_CLIENT_H

#include <sys/types.h>
#include "api/status.h"
#include "exec/wire.h"

enum { CLIENT_SAID = 4096 };
struct client {
    pid_t keeper;                    /* 0: it does not run */
    pid_t pid, runs;                 /* the program, which leads its group; the process of the present cell, 0: the same */
    pid_t owner;                     /* the process that started it */
    int to, from, printed;           /* pipes: messages to it, from it, and what it prints; none of them blocks */
    int memory;                      /* descriptor of the shared memory */
    unsigned char *shared;           /* [shared_room], mapped; NULL: nothing is */
    size_t shared_room;
    char folder[64];
    char said[CLIENT_SAID];          /* the last bytes of what it printed */
    size_t saids;
    unsigned char *in;               /* [in_room]: in_used bytes of the last message, then up to in_got what came after */
    size_t in_room, in_used, in_got;
    double ends, spends;             /* limits: of the monotonic clock, and of processor time as in client_clock */
    double looks, began;             /* when the limits are looked at next; when they were set */
};

/* Starts argv[0]. memory: bytes of address space of each of its processes; 0: no limit. IO_ERROR: no process. A program
 * that does not exist is one that has ended. */
enum status client_start(struct client *c, char *const argv[], size_t memory, struct why *why);
/* Ends it, and everything that it has started. */
void client_stop(struct client *c);
/* The limits of what follows: seconds of the processor, of this process and the program together, and of real time.
 * INFINITY: none. */
void client_limits(struct client *c, double processor, double real);
/* Real time alone, from now on; the earlier of both limits holds. */
void client_hurry(struct client *c, double real);
/* Makes room for `bytes` in the shared memory. IO_ERROR: there is none. */
enum status client_share(struct client *c, size_t bytes, struct why *why);
/* Empties the program's folder. */
void client_empty_folder(const struct client *c);

/* Sends a message. IO_ERROR: the program has ended. TIMED_OUT: a limit has passed. */
enum status client_send(struct client *c, const struct wire_out *w, struct why *why);
/* *kind, *in <- the next message, of at most `most` bytes, valid until the next call. IO_ERROR: the program has ended or
 * sent what is no message. TIMED_OUT: a limit has passed. The sentence ends with the last line that it printed. */
enum status client_receive(struct client *c, size_t most, uint32_t *kind, struct wire_in *in, struct why *why);
/* Has something come after the last message? It is looked for without waiting. */
bool client_has_more(struct client *c);
/* After the last message of a program that serves one cell: waits until it has ended, up to the limits. IO_ERROR: it has
 * sent something more. */
enum status client_finish(struct client *c, struct why *why);
/* Seconds of the monotonic clock. */
double client_now(void);
/* Processor seconds of the program and of the process of the present cell; 0: unknown. */
double client_seconds(const struct client *c);
/* words <- the last line that the program printed, in printable characters; "": none. */
const char *client_last_line(struct client *c, char words[160]);

#endif
