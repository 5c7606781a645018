/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - writes the report: first into a temporary folder, from which its files are then renamed one by one. */
#include "report/report.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/figure.h"
#include "text/folder.h"
#include "report/report_formats.h"
#include "report/site.h"

enum { PATH = 4096 };
#define ASIDE ".new-"                /* the beginning of the name of the temporary folder; the id of the process
                                        that writes into it follows */

static void remove_folder(const char *path)
{
    DIR *d = opendir(path);
    char file[PATH + 512];
    for (struct dirent *e; d && (e = readdir(d));) {
        snprintf(file, sizeof file, "%s/%s", path, e->d_name);
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
            unlink(file);
    }
    if (d)
        closedir(d);
    rmdir(path);
}

/* The pages that are not HTML, in the order in which they are renamed to their names. report.md comes last: as long
 * as it is that of an earlier report, this report is not complete. */
enum { PAGES = 3 };
static const char *const page_name[PAGES] = { "junit.xml", "summary.md", "report.md" };

struct page {
    const struct report_input *in;
    const struct figure *figure;
    int number;
};

static void put_page(FILE *out, const void *ctx)
{
    const struct page *p = ctx;
    if (p->number == 0)
        report_junit(out, p->in);
    else
        report_markdown(out, p->in, p->number == 1 ? NULL : p->figure);
}

static enum status write_page(const struct report_input *in, const char *folder,
                              const struct figure *figure, int page, struct why *why)
{
    char path[PATH + 32];
    snprintf(path, sizeof path, "%s/%s", folder, page_name[page]);
    return file_write(path, put_page, &(struct page){ in, figure, page }, why);
}

/* Returns IO_ERROR where a folder has the name of a page. This is checked before any file is renamed. */
static enum status place_is_free(const char *directory, const char *name, struct why *why)
{
    char path[PATH + 256];
    struct stat found;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    errno = EISDIR;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode) ? file_trouble(path, why) : OK;
}

static enum status install(const char *from, const char *directory, const char *name,
                           struct why *why)
{
    char source[PATH + 256], target[PATH + 256];
    const char *base = strrchr(name, '/');
    snprintf(source, sizeof source, "%s/%s", from, base ? base + 1 : name);
    snprintf(target, sizeof target, "%s/%s", directory, name);
    if (rename(source, target))
        return file_trouble(target, why);
    return OK;
}

/* Removes the temporary folders of reports that were not finished: those whose process no longer runs. */
static void remove_leftovers(const char *directory)
{
    DIR *d = opendir(directory);
    char path[PATH + 512];
    for (struct dirent *e; d && (e = readdir(d));) {
        long owner = 0;
        char end = 0;
        if (sscanf(e->d_name, ASIDE "%ld%c", &owner, &end) == 1 && owner > 0 &&
            kill((pid_t)owner, 0) != 0 && errno == ESRCH) {
            snprintf(path, sizeof path, "%s/%s", directory, e->d_name);
            remove_folder(path);
        }
    }
    if (d)
        closedir(d);
}

/* there: this report has the file, which is renamed to its name. Otherwise removes the file of this name, which an
 * earlier report has left and which has other numbers. */
static enum status install_or_remove(bool there, const char *from, const char *directory,
                                     const char *name, struct why *why)
{
    char target[PATH + 256];
    if (there)
        return install(from, directory, name, why);
    snprintf(target, sizeof target, "%s/%s", directory, name);
    unlink(target);
    return OK;
}

/* Is this the name of a page of the site, of its style sheet or of its script? */
static bool is_page(const char *name)
{
    const char *end = strrchr(name, '.');
    return end && (strcmp(end, ".html") == 0 || strcmp(name, "report.css") == 0 ||
                   strcmp(name, "report.js") == 0);
}

static bool is_part_of_site(const char *name)
{
    return is_page(name) && (strncmp(name, "paper-", 6) == 0 || strncmp(name, "theorem-", 8) == 0 ||
                             strcmp(name, "nights.html") == 0);
}

/* Calls each(aside, directory, name, why) for every name in the folder. */
static enum status each_name(const char *folder,
                             enum status (*each)(const char *aside, const char *directory,
                                                 const char *name, struct why *why),
                             const char *aside, const char *directory, struct why *why)
{
    enum status s = OK;
    DIR *d = opendir(folder);
    for (struct dirent *e; s == OK && d && (e = readdir(d));)
        s = each(aside, directory, e->d_name, why);
    if (d)
        closedir(d);
    return s;
}

static enum status check_page(const char *aside, const char *directory, const char *name,
                              struct why *why)
{
    return is_page(name) ? place_is_free(directory, name, why) : OK;
}

static enum status install_page(const char *aside, const char *directory, const char *name,
                                struct why *why)
{
    return is_page(name) ? install(aside, directory, name, why) : OK;
}

static enum status remove_stale(const char *aside, const char *directory, const char *name,
                                struct why *why)
{
    char path[PATH + 512];
    snprintf(path, sizeof path, "%s/%s", aside, name);
    if (!is_part_of_site(name) || access(path, F_OK) == 0)
        return OK;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    unlink(path);
    return OK;
}

static enum status install_figure(const struct figure *f, const char *from, const char *directory,
                                  struct why *why)
{
    const struct { bool there; const char *ending;
    } part[] = { { f->data, "tsv" },
                 { f->script, "gp" },
                 { f->drawn, "svg" },
                 { f->printed, "pdf" },
                 { f->printed, "tex" } };
    char name[FIGURE_NAME + 32];
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        snprintf(name, sizeof name, "figures/%s.%s", f->name, part[k].ending);
        TRY(install_or_remove(part[k].there, from, directory, name, why));
    }
    return OK;
}

static enum status write_all(const struct report_input *in, const char *aside,
                             const char *directory, struct figure *figure, struct why *why)
{
    for (int k = 0; k < in->judgements; k++)
        TRY(figure_write(&in->judgement[k], in->before ? &in->before[k] : NULL, aside, &figure[k], why));
    for (int k = 0; k < in->plots; k++)
        TRY(figure_write_plot(&in->plotted[k], aside, &figure[in->judgements + k], why));
    char before[PATH + 16];
    snprintf(before, sizeof before, "%s/figures", directory);
    figure_draw(aside, before, in->pdf, figure, in->judgements + in->plots);
    for (int k = 0; k < in->judgements + in->plots; k++)
        if (figure[k].printed)
            TRY(figure_write_latex(&figure[k],
                                   k < in->judgements ? in->judgement[k].claim->says
                                                      : in->plotted[k - in->judgements].plot->title,
                                   aside, why));
    TRY(site_write(in, figure, aside, directory, why));
    for (int k = 0; k < PAGES; k++)
        TRY(write_page(in, aside, figure, k, why));
    TRY(each_name(aside, check_page, aside, directory, why));
    for (int k = 0; k < PAGES; k++)
        TRY(place_is_free(directory, page_name[k], why));
    TRY(each_name(directory, remove_stale, aside, directory, why));
    for (int k = 0; k < in->judgements + in->plots; k++)
        TRY(install_figure(&figure[k], aside, directory, why));
    char script[PATH + 32];
    snprintf(script, sizeof script, "%s/gnuplot_svg.js", aside);
    TRY(access(script, F_OK) ? OK : install(aside, directory, "figures/gnuplot_svg.js", why));
    TRY(each_name(aside, install_page, aside, directory, why));
    for (int k = 0; k < PAGES; k++)
        TRY(install(aside, directory, page_name[k], why));
    return OK;
}

enum status report_write(const struct report_input *in, const char *directory, struct why *why)
{
    char aside[PATH], figures[PATH];
    if (snprintf(figures, sizeof figures, "%s/figures", directory) >= PATH - 32) {
        errno = ENAMETOOLONG;
        return file_trouble(directory, why);
    }
    TRY(folder_make(directory, why));
    TRY(folder_make(figures, why));
    remove_leftovers(directory);
    snprintf(aside, sizeof aside, "%.4000s/" ASIDE "%ld", directory, (long)getpid());
    if (mkdir(aside, 0777) && errno != EEXIST)
        return file_trouble(aside, why);
    struct figure *figure = calloc((size_t)(in->judgements + in->plots) + 1, sizeof *figure);
    BUG_IF(!figure);
    enum status s = write_all(in, aside, directory, figure, why);
    remove_folder(aside);
    free(figure);
    return s;
}
