/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear_move.h - products of rows that are moved in the same pass: a part of linear_kernels.h, by its
 * names, for each instruction set. */

/* s[R] <- <z_r, x>, in the bits of dot_few, of rows z[R*d], which become b + a z_r, in those of
 * lincomb, in the same pass. */
static inline __attribute__((always_inline)) TARGET void NAME(dot_move_few)(
    const int R, long d, const double *x, double a, const double *b, double *z, double *s)
{
    V even[DOTS], odd[DOTS], w = SET(a);
    long j = 0;
    for (int r = 0; r < R; r++)
        even[r] = odd[r] = SET(0);
    for (; j + 2 * W <= d; j += 2 * W)
        for (int half = 0; half < 2; half++) {
            long i = j + half * W;
            V x0 = LOAD(x + i), b0 = LOAD(b + i), v[DOTS];
            for (int r = 0; r < R; r++)
                v[r] = LOAD(z + r * d + i);
            for (int r = 0; r < R; r++) {
                if (half)
                    odd[r] = FMA(v[r], x0, odd[r]);
                else
                    even[r] = FMA(v[r], x0, even[r]);
                STORE(z + r * d + i, ADD(b0, MUL(w, v[r])));
            }
        }
    for (; j + W <= d; j += W)
        for (int r = 0; r < R; r++) {
            V z0 = LOAD(z + r * d + j);
            even[r] = FMA(z0, LOAD(x + j), even[r]);
            STORE(z + r * d + j, ADD(LOAD(b + j), MUL(w, z0)));
        }
    for (int r = 0; j < d && r < R; r++) {
        V z0 = LOADN(z + r * d + j, d - j);
        odd[r] = FMA(z0, LOADN(x + j, d - j), odd[r]);
        STOREN(z + r * d + j, d - j, ADD(LOADN(b + j, d - j), MUL(w, z0)));
    }
    NAME(few_sums)(R, even, odd, s);
}

static TARGET void NAME(dots_move)(long m, long d, const double *x, double a, const double *b,
                                   double *z, double *s)
{
    long k = 0;
    for (; k + DOTS <= m; k += DOTS)
        NAME(dot_move_few)(DOTS, d, x, a, b, z + k * d, s + k);
    for (; k < m; k++)
        NAME(dot_move_few)(1, d, x, a, b, z + k * d, s + k);
}
