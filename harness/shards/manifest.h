/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manifest.h - writes and reads the manifest, the file of a shard. It lists the cells that one job runs, and says
 * which program and which kind of machine may run them. A line has a key and its value, or a cell:
 *
 *     assay shard 2
 *     run 2026-11-25T20:15:02Z 0193e1c2-...
 *     commit 0f3c5a1d20be
 *     core 5f0e...
 *     level avx2
 *     blas Haswell 0.3.21
 *     library glibc 2.36 fma, GSL 2.7.1
 *     timeout 600
 *     memory 4096
 *     seconds 61.5
 *     info profile nightly
 *     info command assay verify --profile nightly --engine files
 *     cell FINGERPRINT problem spectral d=40 | algo sgd step=0.5 | goal n=1e6 | run | rep 3
 *     checksum HASH OF ALL LINES ABOVE */
#ifndef ASSAY_MANIFEST_H
#define ASSAY_MANIFEST_H

#include "cell/cell.h"
#include "numeric/kind.h"
#include "store/store.h"

#define MANIFEST_END ".shard"

struct manifest {
    struct store_identity run;           /* the run to which the records of the cells belong */
    char commit[65], core[65];           /* commit and hash of the core of the program that made the manifest */
    struct machine_kind kind;
    double timeout, memory;              /* the most that a cell may take. timeout: seconds; memory: MiB */
    double seconds;                      /* expected processor time of all cells together */
    struct store_info *info;             /* [infos] the provenance of the run */
    size_t infos;
    long cells;
    char **text, **fingerprint;          /* [cells] */
};

/* Adds an item to the provenance of the run, as a copy; manifest_free() frees it. An item with a line break is left
 * out, since a line of the file has no room for it. */
void manifest_add_info(struct manifest *m, const char *key, const char *value);
/* Writes a manifest of the n cells, with the other members as in *m. BAD_INPUT: the text of a cell has a line
 * break. IO_ERROR: the manifest could not be written, and no file is left. */
enum status manifest_write(const char *path, const struct manifest *m, struct cell *const *cell, size_t n,
                           struct why *why);
/* Reads a manifest. manifest_free() it. BAD_INPUT: the file is no manifest, is of another version, or has changed
 * since it was written. IO_ERROR: it could not be read. */
enum status manifest_read(const char *path, struct manifest *m, struct why *why);
void manifest_free(struct manifest *m);
/* Returns BAD_INPUT where the hash of this program's core, or the kind of this machine, is not that of the
 * manifest; *why names the host. */
enum status manifest_fits(const char *path, const struct manifest *m, struct why *why);
/* cell[m->cells] <- the cells, made from their texts; the caller frees them, also those made before a failure.
 * BAD_INPUT: this program cannot make a cell, or the cell's fingerprint is another one here; *why names the
 * host. */
enum status manifest_cells(const char *path, const struct manifest *m, struct cell **cell, struct why *why);

#endif
