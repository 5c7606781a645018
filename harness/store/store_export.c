/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_export.c - the records of a run for other programs. */
#include "store/store.h"

#include <errno.h>
#include <string.h>

#include "record/listing.h"

struct export {
    FILE *out;
    enum record_format format;
    bool canonical, any;             /* any: a record stands before */
    struct json info;
};

static void export_info(void *ctx, const char *key, const char *value)
{
    struct export *e = ctx;

    if (e->format == RECORD_JSON) {
        json_text(&e->info, key, value);
    } else {
        fprintf(e->out, "# %s: ", key);
        line_text(e->out, value);
        putc('\n', e->out);
    }
}

static bool export_record(void *ctx, const struct record *r)
{
    struct export *e = ctx;

    if (e->format == RECORD_JSON)
        fputs(e->any ? ",\n" : "\n", e->out);
    record_write(e->out, r, e->format, e->canonical);
    e->any = true;
    return !ferror(e->out);
}

enum status store_export(struct store *s, long run, FILE *out, enum record_format format,
                         bool canonical, struct why *why)
{
    struct export e = { out, format, canonical, false, { .out = out } };
    bool json = format == RECORD_JSON, info = !canonical && run != STORE_LATEST;

    record_write_heading(out, format);
    if (json)
        fputs(info ? "{\"run\":{" : "{", out);
    if (info && format != RECORD_CSV)
        TRY(store_run_info(s, run, export_info, &e, why));
    if (json)
        fputs(info ? "},\n\"records\":[" : "\"records\":[", out);
    TRY(store_each_of_run(s, run, export_record, &e, why));
    if (json)
        fputs("\n]}\n", out);
    if (fflush(out) != 0 || ferror(out))
        return why_set(why, IO_ERROR, "cannot write the export: %s", strerror(errno));
    return OK;
}
