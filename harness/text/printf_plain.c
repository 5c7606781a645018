/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printf_plain.c - keeps glibc's printf on its short way.
 *
 * OpenBLAS brings libquadmath, which registers a modifier for numbers of 128 bits when it is loaded. From then on
 * every printf of the program reads its format twice, to look for such numbers, of which there are none here
 * (measured: an eighth of the time of a plan). These stand before the functions of the C library for all that is
 * loaded, and register nothing: so that nothing in this file is called by name.
 */
#include <printf.h>

int register_printf_type(printf_va_arg_function *f) { return -1; }
int register_printf_modifier(const wchar_t *modifier) { return -1; }
int register_printf_specifier(int conversion, printf_function *f, printf_arginfo_size_function *size) { return -1; }
