# SPDX-License-Identifier: GPL-3.0-or-later
# Gradient descent with a fixed step, to start from.
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
here <- dirname(gsub("~+~", " ", script, fixed = TRUE))                  # Rscript writes ~+~ for a blank
source(file.path(here, "assay_method.R"))

assay_method(function(p) {
  x <- p$start
  repeat {                               # until the budget ends it; the last mark is then the answer
    x <- x - p$param$step * p$gradient(x)
    p$mark(x)
  }
}, doc = "gradient descent, in R", calls = "gradient", params = list(step = 0.5))
