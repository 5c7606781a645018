/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference_cache.h - where reference optima are kept. */
#ifndef ASSAY_REFERENCE_CACHE_H
#define ASSAY_REFERENCE_CACHE_H

/* From here on optima are kept in `folder`, made when needed if its parent exists; NULL, as at the
 * start: nowhere. The text must live as long as the program. */
void reference_cache(const char *folder);

#endif
