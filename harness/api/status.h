/* SPDX-License-Identifier: GPL-3.0-or-later */
/* status.h - how the program ends what cannot go on. A bug (a broken contract) aborts by BUG_IF. A refusal (bad input,
 * an I/O error, a damaged store, an unmet assumption) is a status, with one sentence in struct why. A run that diverges
 * or times out is neither: its outcome is stored as a result. */
#ifndef ASSAY_STATUS_H
#define ASSAY_STATUS_H

#define STATUS_LIST(X)                          \
    X(OK, "ok")                                 \
    X(REFUSED, "refused")                       \
    X(BAD_INPUT, "bad input")                   \
    X(IO_ERROR, "input/output error")           \
    X(NO_MEMORY, "out of memory")               \
    X(TIMED_OUT, "out of time")                 \
    X(DAMAGED, "damaged")

enum status {
#define X(id, text) id,
    STATUS_LIST(X)
#undef X
};

const char *status_text(enum status s);

/* The reason of a refusal: one line that names file, line, option or value, and what was expected. */
struct why { char text[400]; };

/* Writes the sentence to *why and returns s, for `return why_set(why, BAD_INPUT, ...)`. why may be NULL. */
__attribute__((format(printf, 3, 4)))
enum status why_set(struct why *why, enum status s, const char *format, ...);

#define TRY(call) do { enum status try_ = (call); if (try_ != OK) return try_; } while (0)

/* Fingerprints are hashes of preprocessed text. __FILE__ and __LINE__ would put a path and a number into that text,
 * so that a comment or the move of a file would change the hash. The builtins stay in the text as they are. */
_Noreturn void bug_report(const char *file, int line, const char *condition);
#define BUG_IF(condition) \
    do { \
        if (__builtin_expect(!!(condition), 0)) bug_report(__builtin_FILE(), __builtin_LINE(), #condition); \
    } while (0)

#endif
