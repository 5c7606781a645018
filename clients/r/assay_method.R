# SPDX-License-Identifier: GPL-3.0-or-later
# assay_method.R - write a method in R and let assay count its questions (docs/methods.md).
#
#     script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
#     here <- dirname(gsub("~+~", " ", script, fixed = TRUE))              # Rscript writes ~+~ for a blank
#     source(file.path(here, "assay_method.R"))
#     assay_method(function(p) { ...; p$gradient(x); p$mark(x); ...; x }, doc = "my method", calls = "gradient")
#
#     assay solve --method mine='exec:Rscript mine.R' --algorithm mine --problem spectral --T 100
#
# The program serves one run and is started anew for the next run. A question that the budget cannot pay for ends
# the run, and the answer is then the last mark. files: what the method consists of beside the script and
# assay_method.R beside it, such as files that it sources; a relative name is one in the folder of the script. This
# file needs base R only.

assay_method <- function(run, doc, cite = "", params = list(), calls = c("value", "gradient"), facts = character(),
                         adjacency = 0, own = FALSE, files = character()) {
  if (Sys.getenv("ASSAY_METHOD") == "")
    stop("this is a method for assay: assay solve --method NAME='exec:Rscript FILE' --algorithm NAME ...")
  from <- file("/dev/fd/3", "rb", raw = TRUE)
  to <- file("/dev/fd/4", "wb", raw = TRUE)

  u32 <- function(v) {
    if (v > .Machine$integer.max) v <- v - 2^32
    writeBin(as.integer(v), raw(), size = 4, endian = "little")
  }
  f64 <- function(v) writeBin(as.double(v), raw(), endian = "little")
  text <- function(s) { b <- charToRaw(s); c(u32(length(b)), b) }
  cut <- function(s, room) {             # the beginning of s that has at most this many bytes
    b <- charToRaw(s)
    iconv(rawToChar(b[seq_len(min(room, length(b)))]), "UTF-8", "UTF-8", sub = "")
  }
  vec <- function(x) c(u32(length(x)), f64(x))
  send <- function(kind, body = raw()) { writeBin(c(u32(length(body)), u32(kind), body), to); flush(to) }
  receive <- function() {
    n <- readBin(from, "integer", 1, size = 4, endian = "little")
    if (!length(n)) quit(status = 0)
    kind <- readBin(from, "integer", 1, size = 4, endian = "little")
    body <- raw()
    while (length(body) < n) body <- c(body, readBin(from, "raw", n - length(body)))
    at <- 0
    take <- function(n) { force(n); at <<- at + n; body[seq_len(n) + at - n] }
    get_u32 <- function() readBin(take(4), "integer", size = 4, endian = "little")
    get_f64 <- function() readBin(take(8), "double", endian = "little")
    get_text <- function() rawToChar(take(get_u32()))
    get_vec <- function() { m <- get_u32(); readBin(take(8 * m), "double", m, endian = "little") }
    list(kind = kind, u32 = get_u32, f64 = get_f64, text = get_text, vec = get_vec)
  }

  ask <- function(kind, body = raw()) {
    send(kind, body)
    said <- receive()
    if (said$kind == 4) stop(structure(class = c("assay_stop", "error", "condition"),
                                       list(message = "the budget is spent", call = NULL)))
    said
  }

  bits <- c(value = 1, gradient = 2, samples = 4, sample_values = 8, prox = 128, noise = 512)
  parameter <- function(name, v)
    c(text(name), u32(0), f64(v), f64(-Inf), f64(Inf), text(""), text(""), text(""), text(""))
  script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
  script <- normalizePath(gsub("~+~", " ", script, fixed = TRUE))
  client <- file.path(dirname(script), "assay_method.R")
  files <- path.expand(files)
  relative <- !startsWith(files, "/")
  files[relative] <- file.path(dirname(script), files[relative])
  parts <- c(script, client[file.exists(client)], files)

  serve <- function() repeat {
    m <- receive()
    if (m$kind == 1) {
      if (!all(file.exists(files))) stop("files: there is no ", files[!file.exists(files)][1])
      if (!all(calls %in% names(bits))) stop("calls: expected ", paste(names(bits), collapse = ", "))
      send(1, c(u32(1), text(paste0(cut(doc, 120), " (", R.version.string, ")")), text(cut(cite, 199)),
                u32(4 * own), u32(adjacency), u32(sum(bits[calls])), u32(0),
                u32(length(facts)), unlist(lapply(facts, text)), u32(length(params)),
                unlist(Map(parameter, names(params), params)), u32(length(parts)), unlist(lapply(parts, text))))
      next
    }
    p <- list(start = m$vec(), radius = m$f64())
    p$d <- length(p$start)
    seed <- vapply(1:4, function(k) as.double(m$u32()), 0)
    set.seed(bitwAnd(as.integer(seed[1]), 2147483647L))
    p$param <- list()
    for (k in seq_len(m$u32())) { name <- m$text(); p$param[[name]] <- if (m$u32()) m$text() else m$f64() }
    p$fact <- list()
    for (k in seq_len(m$u32())) { name <- m$text(); p$fact[[name]] <- m$f64() }
    p$goal <- list()
    for (k in seq_len(m$u32())) { name <- m$text(); p$goal[[name]] <- m$f64() }
    p$value <- function(x) ask(10, c(u32(1), vec(x)))$vec()
    p$gradient <- function(x) ask(11, c(u32(1), vec(x)))$vec()
    p$batch <- function(b = 1, scheme = 0) {
      a <- ask(12, c(u32(scheme), f64(b)))
      list(number = a$u32(), size = a$f64())
    }
    p$sample_value <- function(batch, x) ask(13, c(u32(batch$number), vec(x)))$f64()
    p$sample_gradient <- function(batch, x, clip = Inf) ask(14, c(u32(batch$number), f64(clip), vec(x)))$vec()
    p$prox <- function(t, v) ask(15, c(f64(t), vec(v)))$vec()
    p$project <- function(x) ask(16, vec(x))$vec()
    p$release <- function(name, v, sensitivity, scale, batch = NULL, law = 0, norm = 0)
      ask(17, c(text(name), u32(law), u32(norm), f64(sensitivity), f64(scale),
                u32(if (is.null(batch)) 2^32 - 1 else batch$number), vec(v)))$vec()
    p$mark <- function(x) { ask(18, vec(x)); invisible(x) }
    p$depth <- function(v) invisible(ask(19, f64(v)))
    x <- tryCatch(run(p), assay_stop = function(e) numeric())        # length 0 stands for the last mark
    send(20, vec(x))
    quit(status = 0)
  }
  tryCatch(serve(), error = function(e) { message("Error: ", conditionMessage(e)); quit(status = 1) })
}
