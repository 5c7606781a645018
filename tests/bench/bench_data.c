/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_data.c - reading data files, compared with reading their bytes alone. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <zlib.h>

#include "data/data_read.h"
#include "nights/gbench.h"
#include "rng.h"

enum { RECORDS = 1000, ENTRIES = 1000 };

struct file {
    char path[64];
    double sum;                      /* the sum of the values written to the file, in units of 1e-6 */
    double bytes, read;              /* size of the text before compression; bytes that the last read_bytes read */
};
static struct file files[3] = {
    { "/tmp/assay-bench-XXXXXX" }, { "/tmp/assay-bench-XXXXXX" }, { "/tmp/assay-bench-XXXXXX" }
};

/* Writes RECORDS records of ENTRIES values with six digits: as LIBSVM text, as gzip of it, or as CSV. */
static double write_file(struct file *f, int kind)
{
    struct rng r = rng_stream(1);
    double bytes = 0;
    int descriptor = mkstemp(f->path);
    gzFile out = descriptor < 0 ? NULL : gzdopen(descriptor, kind == 1 ? "w" : "wT");
    if (!out)
        abort();
    for (int i = 0; i < RECORDS; i++) {
        bytes += gzprintf(out, "%d", i % 2);
        for (int j = 0; j < ENTRIES; j++) {
            long v = 1 + (long)rng_below(&r, 999999);
            f->sum += (double)v;
            bytes += kind == 2 ? gzprintf(out, ",0.%06ld", v)
                               : gzprintf(out, " %d:0.%06ld", 20 * j + (int)(v % 20) + 1, v);
        }
        bytes += gzprintf(out, "\n");
    }
    gzclose(out);
    return bytes;
}

static void read_table(void *payload, long iterations)
{
    const struct file *f = payload;
    for (long k = 0; k < iterations; k++) {
        struct table t = { .path = "" };
        if (data_read(f->path, f->path, NULL, &t, NULL) != OK)
            abort();
        table_clear(&t);
    }
}

static int table_right(void *payload)
{
    const struct file *f = payload;
    struct table t = { .path = "" };
    double sum = 0;
    enum status s = data_read(f->path, f->path, NULL, &t, NULL);
    for (long i = 0; s == OK && i < t.n; i++) {
        struct entries a = table_row(&t, i);
        for (long k = 0; k < a.count; k++)
            sum += rint(1e6 * a.value[k]);
    }
    bool right = s == OK && t.n == RECORDS && sum == f->sum;
    table_clear(&t);
    return !right;
}

static void read_bytes(void *payload, long iterations)
{
    struct file *f = payload;
    static char block[1 << 16];
    for (long k = 0; k < iterations; k++) {
        ssize_t got;
        int descriptor = open(f->path, O_RDONLY);
        f->read = 0;
        while ((got = read(descriptor, block, sizeof block)) > 0)
            f->read += (double)got;
        close(descriptor);
    }
}

static int bytes_right(void *payload)
{
    const struct file *f = payload;
    read_bytes(payload, 1);
    return f->read != f->bytes;
}

static struct gbench_case cases[] = {
    { "LIBSVM", "1000 x 1000", &files[0], read_table, table_right },
    { "LIBSVM, gzip", "1000 x 1000", &files[1], read_table, table_right },
    { "CSV", "1000 x 1000", &files[2], read_table, table_right, .peer = "its bytes alone" },
    { "its bytes alone", "1000 x 1000", &files[2], read_bytes, bytes_right },
    { 0 }
};

static void begin(void)
{
    for (int k = 0; k < 3; k++)
        files[k].bytes = cases[k].bytes = write_file(&files[k], k);
    cases[3].bytes = cases[2].bytes;
}

static void end(void)
{
    for (int k = 0; k < 3; k++)
        unlink(files[k].path);
}

const struct gbench_group bench_data = { "data", cases, begin, end };
