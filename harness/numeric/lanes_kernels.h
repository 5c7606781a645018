/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_kernels.h - the kernels of one level. A file that includes this defines LANES, the
 * width, and LEVEL, the name of the table. */
#include "numeric/lanes.h"
#include "numeric/lanes_maps.h"
#include "numeric/lanes_random.h"
#include "numeric/lanes_sphere.h"

const struct lanes LEVEL = {
    .exp = map_exp,
    .log = map_log,
    .log1pexp = map_log1pexp,
    .logistic = map_logistic,
    .logistic_slope = map_logistic_slope,
    .turned_logistic = turned_logistic,
    .turned_logistic_slope = turned_logistic_slope,
    .normals = normals,
    .laplaces = laplaces,
    .uniforms = uniforms,
    .words = words,
    .normals_apart = normals_apart,
    .words_apart = words_apart,
    .unit_rows = unit_rows,
    .normal = normal,
    .laplace = laplace,
};
