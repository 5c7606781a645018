/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_target.c - reads CSV files with a target in any column. A file is read twice: first for the targets, whose
 * texts must be known before the first row is written, then for all values. */
#include "cli/csv_target.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell/nearest.h"
#include "data/data_reader.h"
#include "text/folder.h"

struct csv_file {
    struct reader reader;
    char separator;
    char **field;                    /* [fields] of the line that was read last */
    int fields, room;
    char **name;                     /* [names] names of the columns; NULL: the first line has a number, so no names
                                        */
    int names, target;
    char *class[2];                  /* [classes] the first two different targets; where `texts` is true these are
                                        all, in byte order */
    int classes;
    bool texts;                      /* some target is not a number */
};

/* --- reading lines as fields */

/* Is the text a number as data files have it: decimal and finite? */
static bool is_number(const char *text)
{
    char *end;
    double v = strtod(text, &end);
    return *text && !*end && isfinite(v) && !strpbrk(text, "xXpP");
}

static bool is_missing(const char *text)
{
    static const char *const words[] = { "", "NA", "N/A", "NaN", "nan", "null", "NULL", "?", "None", "." };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(words[k], text) == 0)
            return true;
    return false;
}

/* Returns the field at *c, without its quotes and the blanks around it; *c <- the next field, or NULL after the
 * last one. */
static char *take_field(char **c, char separator, bool *balanced)
{
    char *to = *c, *field = *c, *from = *c, *end;
    bool inside = false;
    for (; *from && (inside || *from != separator); from++)
        if (*from != '"')
            *to++ = *from;
        else if (inside && from[1] == '"')
            *to++ = *from++;
        else
            inside = !inside;
    *balanced = !inside;
    *c = *from ? from + 1 : NULL;
    end = to;
    while (end > field && isspace((unsigned char)end[-1]))
        end--;
    *end = 0;
    return field + strspn(field, " \t");
}

static enum status split(struct csv_file *f, char *line)
{
    bool balanced = true;
    f->fields = 0;
    for (char *c = line; c && balanced;) {
        if (f->fields == f->room) {
            f->room = 2 * f->room + 16;
            f->field = realloc(f->field, (size_t)f->room * sizeof *f->field);
            BUG_IF(!f->field);
        }
        f->field[f->fields++] = take_field(&c, f->separator, &balanced);
    }
    return balanced ? OK : reader_bad(&f->reader, "a quote that does not end in its line: expected one line a "
                                      "record");
}

/* Returns the separator that occurs most often in the line outside quotes; a comma if there is none. */
static char most_of(const char *line)
{
    char best = ',';
    int most = 0;
    for (const char *s = ",;\t"; *s; s++) {
        int n = 0;
        bool inside = false;
        for (const char *c = line; *c; c++) {
            inside ^= *c == '"';
            n += !inside && *c == *s;
        }
        if (n > most) {
            most = n;
            best = *s;
        }
    }
    return best;
}

/* Reads the next line with fields; blank lines and comments are skipped. *more <- whether there was such a line. */
static enum status next_line(struct csv_file *f, bool *more)
{
    char *line;
    size_t n;
    do {
        TRY(reader_line(&f->reader, &line, &n));
        *more = line != NULL;
    } while (line && (line[strspn(line, " \t")] == 0 || *line == '#'));
    if (!line)
        return OK;
    if (!f->separator) {
        if (strncmp(line, "\xef\xbb\xbf", 3) == 0)       /* a byte order mark */
            line += 3;
        f->separator = most_of(line);
    }
    return split(f, line);
}

/* --- the names of the columns */

static const char *column_name(const struct csv_file *f, int k, char text[80])
{
    if (f->name)
        snprintf(text, 80, "'%.60s'", f->name[k]);
    else
        snprintf(text, 80, "%d", k + 1);
    return text;
}

static bool has_number(const struct csv_file *f)
{
    for (int k = 0; k < f->fields; k++)
        if (is_number(f->field[k]))
            return true;
    return false;
}

static enum status unknown_column(struct csv_file *f, const char *target)
{
    struct nearest near = nearest_to(target, strlen(target));
    char list[120] = "";
    for (int k = 0; k < f->fields; k++) {
        nearest_try(&near, f->field[k]);
        if (strlen(list) < 80)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%.20s", k ? ", " : "", f->field[k]);
        else if (k + 1 == f->fields)
            strcat(list, ", ...");
    }
    return reader_bad(&f->reader, "no column '%.60s'%s; the columns are %s", target, nearest_hint(&near, ""), list);
}

/* Reads the first line, which has names of columns, or numbers. */
static enum status read_names(struct csv_file *f, const char *target)
{
    bool more;
    TRY(next_line(f, &more));
    if (!more || f->fields < 2)
        return reader_bad(&f->reader, "expected CSV: a first line with at least two columns");
    f->target = -1;
    f->names = f->fields;
    if (has_number(f)) {
        char *end;
        long k = strtol(target, &end, 10);
        if (*end || k < 1 || k > f->fields)
            return reader_bad(&f->reader, "no names of columns: expected --target 1 to %d", f->fields);
        f->target = (int)k - 1;
    } else {
        f->name = calloc((size_t)f->fields, sizeof *f->name);
        BUG_IF(!f->name);
        for (int k = 0; k < f->fields; k++) {
            f->name[k] = strdup(f->field[k]);
            BUG_IF(!f->name[k]);
            if (f->target < 0 && strcmp(f->field[k], target) == 0)
                f->target = k;
        }
        if (f->target < 0)
            return unknown_column(f, target);
    }
    return OK;
}

/* --- the first pass: the targets, and whether every value is there */

static enum status check_fields(struct csv_file *f)
{
    char name[80];
    if (f->fields != f->names)
        return reader_bad(&f->reader, "%d fields: expected %d, as in the first line", f->fields, f->names);
    for (int k = 0; k < f->fields; k++) {
        if (is_missing(f->field[k]))
            return reader_bad(&f->reader, "column %s has no value%s%.20s%s: expected one in every record; leave "
                              "the record or the column out", column_name(f, k, name), *f->field[k] ? " ('" : "",
                              f->field[k], *f->field[k] ? "')" : "");
        if (k != f->target && !is_number(f->field[k]))
            return reader_bad(&f->reader, "column %s is '%.40s': expected a finite decimal number; only the "
                              "target may be a text", column_name(f, k, name), f->field[k]);
    }
    return OK;
}

static enum status learn_class(struct csv_file *f, const char *text)
{
    char name[80];
    for (int k = 0; k < f->classes; k++)
        if (strcmp(f->class[k], text) == 0)
            return OK;
    f->texts |= !is_number(text);
    if (f->classes < 2) {
        f->class[f->classes] = strdup(text);
        BUG_IF(!f->class[f->classes]);
        f->classes++;
        return OK;
    }
    return f->texts ? reader_bad(&f->reader, "target %s is '%.30s', beside '%.30s' and '%.30s': expected numbers, "
                                 "or two texts", column_name(f, f->target, name), text, f->class[0], f->class[1])
                    : OK;
}

static enum status learn_all(struct csv_file *f)
{
    bool more = true;
    for (bool first = true; more; first = false) {
        if (!first || f->name)
            TRY(next_line(f, &more));
        if (!more)
            break;
        TRY(check_fields(f));
        TRY(learn_class(f, f->field[f->target]));
    }
    if (f->texts && f->classes < 2)
        return reader_bad(&f->reader, "end of file with the one text '%.40s' as target: expected two", f->class[0]);
    if (f->texts && strcmp(f->class[0], f->class[1]) > 0) {
        char *swap = f->class[0];
        f->class[0] = f->class[1];
        f->class[1] = swap;
    }
    return f->classes ? OK : reader_bad(&f->reader, "end of file without a record");
}

/* --- the second pass: every row is written, with the target first */

/* Writes a name in quotes; those inside it are doubled. */
static void put_name(FILE *out, const char *name)
{
    putc('"', out);
    for (; *name; name++) {
        if (*name == '"')
            putc('"', out);
        putc(*name, out);
    }
    putc('"', out);
}

static void put_names(FILE *out, const struct csv_file *f)
{
    put_name(out, f->name[f->target]);
    for (int k = 0; k < f->names; k++)
        if (k != f->target) {
            putc(',', out);
            put_name(out, f->name[k]);
        }
    putc('\n', out);
}

static void put_record(FILE *out, const struct csv_file *f, const struct csv_file *known)
{
    const char *target = f->field[f->target];
    fputs(!known->texts ? target : strcmp(target, known->class[0]) ? "1" : "-1", out);
    for (int k = 0; k < f->fields; k++)
        if (k != f->target)
            fprintf(out, ",%s", f->field[k]);
    putc('\n', out);
}

static enum status write_all(FILE *out, struct csv_file *f, const struct csv_file *known)
{
    bool more = true;
    if (f->name)
        put_names(out, f);
    for (bool first = true; more; first = false) {
        if (!first || f->name)
            TRY(next_line(f, &more));
        if (more)
            put_record(out, f, known);
    }
    return OK;
}

/* --- opening the file, and writing the table */

static enum status file_open(struct csv_file *f, const char *data, const char *target, struct why *why)
{
    memset(f, 0, sizeof *f);
    TRY(reader_open(&f->reader, data, path_shown(data), why));
    return read_names(f, target);
}

static void file_close(struct csv_file *f)
{
    reader_close(&f->reader);
    for (int k = 0; f->name && k < f->names; k++)
        free(f->name[k]);
    for (int k = 0; k < f->classes; k++)
        free(f->class[k]);
    free(f->name);
    free(f->field);
}

/* path <- where the table of a file and a target is written: in FOLDER/tables/, by a name made of both, in which
 * characters other than letters, digits, dots and dashes become _. */
static void table_path(const char *data, const char *target, const char *folder, char path[TARGET_PATH])
{
    const char *slash = strrchr(data, '/');
    int n = snprintf(path, TARGET_PATH, "%.700s/tables/", folder);
    snprintf(path + n, TARGET_PATH - (size_t)n, "%.100s-%.100s.csv", slash ? slash + 1 : data, target);
    for (char *c = path + n; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '.' && *c != '-')
            *c = '_';
}

static enum status write_table(const char *data, const char *target, const struct csv_file *known, const char *path,
                               struct why *why)
{
    struct csv_file f;
    char part[TARGET_PATH + 8];
    snprintf(part, sizeof part, "%s.part", path);
    FILE *out = fopen(part, "w");
    if (!out)
        return why_set(why, IO_ERROR, "%.200s: %s", part, strerror(errno));
    enum status s = file_open(&f, data, target, why);
    if (s == OK)
        s = write_all(out, &f, known);
    file_close(&f);
    bool bad = ferror(out) != 0;
    if ((fclose(out) || bad) && s == OK)
        s = why_set(why, IO_ERROR, "%.200s: %s", part, strerror(errno));
    if (s == OK && rename(part, path))
        s = why_set(why, IO_ERROR, "%.200s: %s", path, strerror(errno));
    if (s != OK)
        remove(part);
    return s;
}

enum status csv_target(const char *data, const char *target, const char *folder, struct csv_target *made,
                       struct why *why)
{
    struct csv_file f;
    char tables[TARGET_PATH], name[80];
    if (!*folder)
        return why_set(why, BAD_INPUT, "--target: the table with its target first is kept in the folder of "
                       "--cache: expected one");
    enum status s = file_open(&f, data, target, why);
    if (s == OK)
        s = learn_all(&f);
    if (s == OK) {
        int n = snprintf(made->says, sizeof made->says, "column %d", f.target + 1);
        if (f.name)
            n += snprintf(made->says + n, sizeof made->says - (size_t)n, " %s", column_name(&f, f.target, name));
        n += snprintf(made->says + n, sizeof made->says - (size_t)n, " of %.100s", path_shown(data));
        if (f.texts)
            snprintf(made->says + n, sizeof made->says - (size_t)n, ": %.60s = -1, %.60s = 1", f.class[0],
                     f.class[1]);
        snprintf(tables, sizeof tables, "%.700s/tables", folder);
        table_path(data, target, folder, made->path);
        s = folder_make(tables, why);
    }
    if (s == OK)
        s = write_table(data, target, &f, made->path, why);
    file_close(&f);
    return s;
}

void csv_target_first(const char *path, char says[TARGET_SAYS])
{
    struct csv_file f = { 0 };
    struct why why;
    bool more = false;
    char name[80];
    *says = 0;
    if (reader_open(&f.reader, path, path_shown(path), &why) == OK && next_line(&f, &more) == OK && more &&
        f.fields > 1 && !strchr(f.field[0], '#') && !strchr(f.field[1], ':')) {
        f.name = has_number(&f) ? NULL : f.field;
        snprintf(says, TARGET_SAYS, f.name ? "column 1 %s" : "column %s", column_name(&f, 0, name));
        f.name = NULL;
    }
    file_close(&f);
}
