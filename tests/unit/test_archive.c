/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_archive.c - an archive is opened by tar and checked by sha256sum; what is in it is judged, drawn and run
 * again; a part that was changed, added or taken away is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"

static int begin(void **state)
{
    shell_begin();
    return shell("assay verify --claim 'baselines/gd.count*,baselines/gd.rate*' > out 2> err && "
                 "assay archive a.tar "
                 "--profile quick > out 2> err");
}

static int end(void **state)
{
    shell_end();
    return 0;
}

static void the_parts_are_whole(void **state)
{
    assert_true(shell_contains("err", "archive: a.tar"));
    assert_int_equal(
        shell("mkdir -p x && tar xf a.tar -C x && cd x && sha256sum --quiet -c SHA256SUMS && test "
              "-s store.db "
              "&& test -s report/index.html && test -s report/report.css && test -s README"),
        0);
    assert_int_equal(shell("assay doctor a.tar > out"), 0);
    assert_true(shell_contains("out", "all as in SHA256SUMS") && shell_contains("out", "cells"));
}

/* From the store of an archive the same report is made as from the store that was archived, and a cell that is run
 * again gives the record that the archive has of it. */
static void it_is_judged_drawn_and_run_again(void **state)
{
    assert_int_equal(shell("assay report --canonical --output was > was.txt 2> err; rm -rf "
                           "results; assay report --canonical "
                           "--store x/store.db --output now > now.txt 2> err; cmp was.txt now.txt "
                           "&& diff -r was now"),
                     0);
    assert_int_equal(shell("cell=$(assay plan --claim baselines/gd.count.full_grads.T --format csv "
                           "| sed -n 2p | cut -d, "
                           "-f5-); assay rerun \"$cell\" --store x/store.db > out 2> err"),
                     0);
}

/* Without --output the archive is written into results/archive/, under a name with the profile and the date of the
 * newest run; missing folders are made. */
static void it_has_a_place(void **state)
{
    assert_int_equal(shell("assay archive --profile quick --store x/store.db > out 2> err && "
                           "f=$(sed -n 's/^archive: //p' err) && "
                           "echo $f | grep -qx 'results/archive/quick-20[0-9-]*.tar' && "
                           "assay doctor $f > out"), 0);
    /* A path of hundreds of bytes is kept to its end; one that is longer than the system takes is refused. */
    assert_int_equal(shell("f=$(printf 'far/%%0240d/%%0240d/b.tar' 0 0) && "
                           "assay archive $f --store x/store.db > out 2> err && test -s $f && "
                           "test $(find far -type f | wc -l) -eq 1 && "
                           "assay archive $(printf '%%04200d' 0)/b.tar --store x/store.db > out 2> err"), 2);
    assert_true(shell_contains("err", "expected a path of fewer than 4096 bytes"));
    /* The profile is that of the report: without --profile, that of the newest run. */
    assert_int_equal(shell("assay verify --claim baselines/gd.count.full_grads.T --profile nightly "
                           "--store night.db > out 2> err; assay archive --store night.db > out 2> err && "
                           "grep -qx 'archive: results/archive/nightly-20[0-9-]*.tar' err"), 0);
    assert_int_equal(shell("cp a.tar x:y.tar && assay doctor x:y.tar > out"), 0);
}

/* If tar fails midway, an archive that was there before stays as it was. */
static void a_failed_write_leaves_the_old_archive(void **state)
{
    assert_int_equal(shell("mkdir torn && cp a.tar torn && mkdir bin && "
                           "printf '#!/bin/sh\necho torn\nexit 1\n' > bin/tar && chmod +x bin/tar && "
                           "PATH=$PWD/bin:$PATH assay archive torn/a.tar --store x/store.db "
                           "> out 2> err"), 2);
    assert_true(shell_contains("err", "torn/a.tar: cannot be written"));
    assert_int_equal(shell("cmp a.tar torn/a.tar && test \"$(ls torn)\" = a.tar"), 0);
    assert_int_equal(shell("assay archive torn --store x/store.db > out 2> err"), 2);
    /* A symbolic link stays one, and the file that it names is written. No other file is. */
    assert_int_equal(shell("mkdir links && ln -s links/a.tar link.tar && echo mine | tee links/a.tar.new > link.tar.new && "
                           "assay archive link.tar --store x/store.db > out 2> err && test -L link.tar && "
                           "tar tf links/a.tar > out && cat links/a.tar.new link.tar.new | grep -c mine | grep -qx 2 && "
                           "test $(ls links | wc -l) -eq 2"), 0);
}

/* Every instruction of the container file is one that builders know, the shell accepts every command, and one of
 * the commands installs what is missing and builds the program. The commands are not run. */
static void the_container_file_parses(void **state)
{
    assert_int_equal(
        shell("sed -e ':a' -e '/\\\\$/N; s/\\\\\\n//; ta' '%s/packaging/Containerfile' | grep -v '^#' > lines && "
              "! grep -vE '^(FROM|ARG|RUN|COPY|WORKDIR|CMD|ENV|ENTRYPOINT|LABEL) ' lines && "
              "grep -q '^FROM debian:[0-9]' lines && sed -n 's/^RUN //p' lines > run && test -s run && "
              "sh -n run && grep -qE '^RUN make (&& |$)' lines",
              SOURCE_DIR),
        0);
}

/* The LaTeX figures of a report are compiled in one document. */
static void figures_compile(void **state)
{
    if (shell("command -v pdflatex > /dev/null && gnuplot -e 'set terminal pdfcairo' > /dev/null 2>&1")) {
        print_message("skip: no pdflatex (Debian: texlive-latex-base) or no gnuplot with PDF\n");
        skip();
    }
    shell("assay report --store x/store.db --figures pdf --output tex > out 2> err");
    assert_int_equal(shell("cd tex/figures && { printf '%%s\\n' '\\documentclass{article}\\usepackage{graphicx}' "
                           "'\\begin{document}'; cat *.tex; printf '%%s\\n' '\\end{document}'; } > ../all && "
                           "mv ../all all.tex && pdflatex -interaction=nonstopmode -halt-on-error all.tex > ../log "
                           "&& grep -q 'Output written on all.pdf' ../log && ! grep -q Overfull ../log"),
                     0);
}

static void other_parts_are_found(void **state)
{
    static const char *const damage[] = { "printf x >> y/report/index.html", "touch y/more",
                                          "rm y/report/report.js", "rm y/SHA256SUMS",
                                          "sed -i 1d y/SHA256SUMS" };
    for (size_t k = 0; k < sizeof damage / sizeof *damage; k++) {
        assert_int_equal(
            shell("rm -rf y && mkdir y && tar xf a.tar -C y && %s && tar cf b.tar -C y .",
                  damage[k]),
            0);
        assert_int_equal(shell("mkdir -p t; TMPDIR=$PWD/t assay doctor b.tar > out"), 5);
        assert_true(shell_contains("out", "b.tar: expected a file of `assay archive`"));
    }
    assert_int_equal(shell("echo no tar > c.tar; assay doctor c.tar > out"), 5);
    assert_int_equal(shell("assay doctor none.tar 2> err"), 2);
    assert_int_equal(shell("assay archive d.tar --store none.db 2> err"), 2);
    assert_int_equal(shell("[ -z \"$(ls t)\" ]"), 0); /* the temporary folder is empty again */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_parts_are_whole),
        cmocka_unit_test(it_is_judged_drawn_and_run_again),
        cmocka_unit_test(it_has_a_place),
        cmocka_unit_test(a_failed_write_leaves_the_old_archive),
        cmocka_unit_test(figures_compile),
        cmocka_unit_test(the_container_file_parses),
        cmocka_unit_test(other_parts_are_found),
    };
    return cmocka_run_group_tests_name("archive", tests, begin, end);
}
