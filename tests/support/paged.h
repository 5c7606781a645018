/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paged.h - writes pages of hand-made judgements into a temporary folder, for the tests of the report. */
#ifndef ASSAY_TESTS_PAGED_H
#define ASSAY_TESTS_PAGED_H

#include "support/judged.h"
#include "support/need.h"
#include "report/report.h"
#include "support/xml.h"

static struct judgement j[JUDGED];
static struct claim claim[JUDGED];
static char folder[64], all_path[128];

static inline int setup(void **state)
{
    judged_fill(j);
    for (int k = 0; k < JUDGED; k++) {
        claim[k] = judged_claim[k];
        j[k].claim = &claim[k];
    }
    strcpy(folder, "/tmp/assay-page-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int teardown(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static inline const char *in_folder(const char *name)
{
    static char path[4][4096];
    static int k;
    char *p = path[k++ % 4];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

static const struct store_info info[] = { { "commit", "feedfacefeedface" },
                                          { "dirty", "yes" },
                                          { "compiler", "cc <1.0> & \"more\"" },
                                          { "host", "moon" } };
static struct plan no_plan;

static inline struct report_input input(bool canonical)
{
    return (struct report_input){ .plan = &no_plan,
                                  .judgement = j,
                                  .judgements = JUDGED,
                                  .info = info,
                                  .infos = 4,
                                  .profile = PROFILE_QUICK,
                                  .canonical = canonical,
                                  .command = "assay verify -j 7" };
}

/* Writes a report to folder/name; returns the path of its page. */
static inline const char *write_page_of(const struct report_input *in, const char *name,
                                        const char *page)
{
    static char path[4][4200];
    static int k;
    struct why why = { "" };
    char *p = path[k++ % 4];
    assert_int_equal(report_write(in, in_folder(name), &why), OK);
    snprintf(p, sizeof path[0], "%s/%s", in_folder(name), page);
    assert_true(xml_well_formed(p));
    return p;
}
static inline const char *write_page(const struct report_input *in, const char *name)
{
    return write_page_of(in, name, "index.html");
}
/* Returns all pages of the report in folder/name, as elements of one file. */
static inline const char *all_pages(const char *name)
{
    snprintf(all_path, sizeof all_path, "%s/all.xml", folder);
    xml_said("cd '%s' && (echo '<all>'; for f in *.html; do echo \"<page name='$f'>\"; sed 1d $f; "
             "echo '</page>'; "
             "done; echo '</all>') > ../all.xml",
             in_folder(name));
    assert_true(xml_well_formed(all_path));
    return all_path;
}

#endif
