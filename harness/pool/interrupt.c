/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interrupt.c - installs and removes the handler of SIGINT and SIGTERM, which stops the pool. */
#include "pool/interrupt.h"

#include <signal.h>
#include <stddef.h>

#include "pool/pool.h"

/* The signal that was caught; 0: none. A signal handler may write no other kind of variable. */
static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
    pool_stop();
}

void interrupt_catch(void)
{
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void interrupt_release(void)
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}

int interrupt_code(void)
{
    return caught ? 128 + caught : 0;
}
