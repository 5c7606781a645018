/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interrupt.h - SIGINT and SIGTERM while cells run: what runs is dropped, what is stored stays. */
#ifndef ASSAY_INTERRUPT_H
#define ASSAY_INTERRUPT_H

/* From now on the first of the two signals stops the pool (pool.h); a second one ends the process, as
 * both do before this call and after interrupt_release. */
void interrupt_catch(void);
void interrupt_release(void);
/* The exit code of the signal that came, 130 or 143; 0: none came. */
int interrupt_code(void);

#endif
