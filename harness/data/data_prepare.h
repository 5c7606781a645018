/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_prepare.h - which records of a table are held out, and how its entries are scaled. */
#ifndef ASSAY_DATA_PREPARE_H
#define ASSAY_DATA_PREPARE_H

#include "data.h"

/* t, a whole file, becomes what q asks for. name: for messages. BAD_INPUT; NO_MEMORY. */
enum status data_prepare(const struct data_request *q, const char *name, struct table *t,
                         struct why *why);

#endif
