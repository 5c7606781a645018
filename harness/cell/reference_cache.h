/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference_cache.h - the folder in which reference optima are kept. */
#ifndef ASSAY_REFERENCE_CACHE_H
#define ASSAY_REFERENCE_CACHE_H

/* From this call on optima are kept in `folder`. The folder is made when it is needed, if its parent exists. NULL,
 * as at the start: optima are not kept. The text must live as long as the program. */
void reference_cache(const char *folder);

#endif
