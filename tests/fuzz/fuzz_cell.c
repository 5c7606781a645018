/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_cell.c - the text of a cell. A text that is accepted has a canonical text, and this text parses to itself
 * with the same seeds. */
#include "cell/cell.h"
#include "fuzz/fuzz.h"

FUZZ(cell)
{
    char *text = fuzz_text(data, size);
    struct cell *c = NULL, *again = NULL;
    struct why why = { "" };
    enum status s = cell_parse(text, &c, &why);
    BUG_IF((s == OK) != (c != NULL) || (s == OK) != !why.text[0]);
    if (c) {
        BUG_IF(cell_parse(c->text, &again, NULL) != OK);
        BUG_IF(strcmp(c->text, again->text) || strcmp(c->fingerprint, again->fingerprint));
        BUG_IF(c->seed != again->seed || c->data_seed != again->data_seed);
    }
    cell_free(c);
    cell_free(again);
    free(text);
    return 0;
}
