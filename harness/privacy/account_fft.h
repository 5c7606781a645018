/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_fft.h - the discrete Fourier transform of a power of two of complex numbers. */
#ifndef ASSAY_ACCOUNT_FFT_H
#define ASSAY_ACCOUNT_FFT_H

#include <stdbool.h>

#include "arena.h"

struct account_fft;

/* Prepares transforms of n numbers, n a power of 2, at least 4; memory comes from the arena a. */
struct account_fft *account_fft_new(long n, struct arena *a);
/* The n complex numbers z_k in (*z)[2 n] <- sum_j z_j e^(-2 pi i j k/n) or, with `back`, sum_j z_j e^(+2 pi i j
 * k/n)/n. *z may afterwards point to the scratch memory of the transform, which then keeps the old array. */
void account_fft_run(struct account_fft *f, bool back, double **z);

#endif
