/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interrupt.h - SIGINT and SIGTERM while cells run: the cells that are running are given up, stored records
 * stay. */
#ifndef ASSAY_INTERRUPT_H
#define ASSAY_INTERRUPT_H

/* From this call to interrupt_release the first of the two signals stops the pool (pool.h), and a second signal of
 * the same kind ends the process. Before this call and after interrupt_release the first signal ends the
 * process. */
void interrupt_catch(void);
void interrupt_release(void);
/* Returns the exit code of the program for the caught signal, 130 (SIGINT) or 143 (SIGTERM); 0: none was caught. */
int interrupt_code(void);

#endif
