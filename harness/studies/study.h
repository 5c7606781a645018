/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study.h - what a paper's experiments are asked for: how their cells run, and where the page goes. */
#ifndef ASSAY_STUDY_H
#define ASSAY_STUDY_H

#include "judge/plan_records.h"

struct study_request {
    struct run_request run;
    const char *output;                  /* folder of the page */
    const char *command;                 /* the line as typed, for the page */
    enum record_format format;           /* of what is printed */
};

#endif
