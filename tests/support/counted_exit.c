/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counted_exit.c - for the build of `make coverage`: gcc writes its counts when a program ends by exit(). Workers
 * end by _exit(), and the linker (option --wrap) sends their calls of _exit() to __wrap__exit below. */
#include <gcov.h>

_Noreturn void __real__exit(int code);
_Noreturn void __wrap__exit(int code);

_Noreturn void __wrap__exit(int code)
{
    __gcov_dump();
    __real__exit(code);
}
