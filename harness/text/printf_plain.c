/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printf_plain.c - keeps glibc's printf fast.
 *
 * OpenBLAS loads libquadmath, which registers a printf modifier for numbers of 128 bits. From then on every printf
 * of the program reads its format twice, to look for such numbers, which this program never prints (measured: an
 * eighth of the time of a plan). The functions below replace those of the C library and register nothing. Only
 * libraries call them: no source of this program does. */
#include <printf.h>

int register_printf_type(printf_va_arg_function *f) { return -1; }
int register_printf_modifier(const wchar_t *modifier) { return -1; }
int register_printf_specifier(int conversion, printf_function *f, printf_arginfo_size_function *size) { return -1; }
