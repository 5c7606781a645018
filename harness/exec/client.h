/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.h - a program that runs as a method: its process, and messages to and from it.
 *
 * The program reads messages from descriptor 3 and writes them to descriptor 4, which are pipes, so that any language can
 * open them as /dev/fd/3 and /dev/fd/4; what it prints goes elsewhere. It runs in a process group and an empty folder of its own, with a clean environment, one thread and limits. This protects
 * against mistakes and is no sandbox: the program may read and write what its user may. */
#ifndef ASSAY_CLIENT_H
#define ASSAY_CLIENT_H

#include <sys/types.h>
#include "api/status.h"
#include "exec/wire.h"

enum { CLIENT_SAID = 4096 };
struct client {
    pid_t pid, group, runs;          /* the program, -1: it has ended; its group; the process of the present cell, 0: the same */
    pid_t owner;                     /* the process that started it; 0: it does not run */
    int to, from, printed;           /* pipes: messages to it, from it, and what it prints; none of them blocks */
    char folder[128];
    char said[CLIENT_SAID];          /* the last bytes of what it printed */
    size_t saids;
    unsigned char *in;               /* the message that was received last */
    size_t in_room;
};

/* How long a run may take: processor seconds of both processes since client_clock, and real seconds. INFINITY: no limit. */
struct client_limits { double processor, real; };

/* Starts argv[0]. within: a folder in which it gets one of its own. memory: bytes of address space; 0: no limit. IO_ERROR: no process, or no such program. */
enum status client_start(struct client *c, char *const argv[], const char *within, size_t memory, struct why *why);
/* Ends it, and everything that it has started. */
void client_stop(struct client *c);
/* Sends a message. IO_ERROR: the program has ended. */
enum status client_send(struct client *c, const struct wire_out *w, struct why *why);
/* *kind, *in <- the next message, of at most `most` bytes, valid until the next one. IO_ERROR: the program has ended or
 * sent what is no message. TIMED_OUT: a limit has passed. The sentence ends with the last line that it printed. */
enum status client_receive(struct client *c, size_t most, const struct client_limits *limits, uint32_t *kind,
                           struct wire_in *in, struct why *why);
/* After the last message of a program that serves one cell: waits until it has ended, for some seconds. IO_ERROR: it has
 * sent something more. */
enum status client_finish(struct client *c, double seconds, struct why *why);
/* Processor seconds of the program and of the process of the present cell; 0: unknown. */
double client_seconds(const struct client *c);
/* Removes a folder with all that is in it. */
void client_remove_folder(const char *folder);
/* words <- the last line that the program printed, in printable characters; "": none. */
const char *client_last_line(struct client *c, char words[160]);

#endif
