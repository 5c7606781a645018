/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference_cache.h - the folder in which reference optima are kept. */
#ifndef ASSAY_REFERENCE_CACHE_H
#define ASSAY_REFERENCE_CACHE_H

/* From now on optima are kept in `folder`, which is made when it is needed, if its parent exists. NULL, as at the
 * start: they are not kept. The text must live as long as the program. */
void reference_cache(const char *folder);

#endif
