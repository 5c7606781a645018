/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/listing.h"

#include <stdbool.h>
#include <stdio.h>

void listing_row(struct listing *l, const char *const *cell)
{
    if (l->rows == 0 && l->format == RECORD_CSV)
        for (int k = 0; k < l->columns; k++)
            printf("%s%s", l->header[k], k + 1 < l->columns ? "," : "\n");
    if (l->format == RECORD_JSON)
        printf(l->rows ? ",\n {" : "[\n {");
    for (int k = 0; k < l->columns; k++) {
        bool last = k + 1 == l->columns;
        if (l->format == RECORD_TEXT) {
            printf("%-*s%s", last ? 0 : l->width[k], cell[k], last ? "\n" : " ");
        } else if (l->format == RECORD_CSV) {
            record_write_csv_text(stdout, cell[k]);
            putchar(last ? '\n' : ',');
        } else {
            printf("\"%s\": ", l->header[k]);
            record_write_json_text(stdout, cell[k]);
            printf(last ? "}" : ", ");
        }
    }
    l->rows++;
}

void listing_end(const struct listing *l)
{
    if (l->format == RECORD_JSON)
        printf(l->rows ? "\n]\n" : "[]\n");
}
