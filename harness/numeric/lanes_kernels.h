/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_kernels.h - the kernels of one level. A file that includes this header defines LANES, the doubles in a
 * vector, and LEVEL, the name of the table of kernels. From bottom to top: lanes_simd.h (one vector), lanes_math.h
 * (functions of one vector), lanes_maps.h (functions of whole arrays), lanes_random.h (random numbers),
 * lanes_sphere.h (unit rows). */
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
