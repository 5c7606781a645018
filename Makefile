# SPDX-License-Identifier: GPL-3.0-or-later
# make | verify | baseline | nightly BUDGET= | test | test-cluster | test-long | test-release | warnings | fuzz SECONDS= | mutants MINUTES= | coverage | bench | peers | format | install PREFIX= | deb | clean
# Variables: MARCH (oldest processor, of x86-64), CC, SAN=address,undefined, TEST=name (one test program), METHOD=name (test_algos), JOBS, PREFIX, CSV= and BENCH= of bench

VERSION := 0.2
PREFIX ?= /usr/local
# Where zsh looks for completions below a prefix; that of a distribution may look elsewhere.
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
JOBS   ?= $(shell nproc)
SAN    ?=
TEST   ?=
MARCH  ?= x86-64-v2
comma  := ,
# SAN=coverage is no sanitizer, but counts the lines that run, in a folder of its own like those.
COVERED := $(filter coverage,$(SAN))

B := build$(if $(SAN),/san-$(subst $(comma),-,$(SAN)))$(if $(filter-out cc gcc,$(CC)),/$(notdir $(CC)))
O := $(B)/obj

PACKAGES := build-essential pkg-config libgsl-dev libopenblas-serial-dev libsqlite3-dev \
    librandom123-dev liblbfgs-dev libbenchmark-dev gnuplot-nox libcmocka-dev zlib1g-dev \
    libfann-doc liblinear-tools sqlite3 libxxhash-dev nettle-dev libcurl4-gnutls-dev libinih-dev

WARN   := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wno-unused-parameter -Wno-missing-field-initializers -Werror \
          $(if $(COVERED),-Wno-maybe-uninitialized)
# The processor that CC compiles for.
X86    := $(filter x86_64%,$(shell $(CC) -dumpmachine 2>/dev/null))
INSTRUMENTS := $(if $(COVERED),--coverage,-fsanitize=$(SAN) -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
MODE   := -std=c17 -D_GNU_SOURCE $(if $(SAN),-O1,-O3) -g $(if $(X86),-march=$(MARCH)) -ffp-contract=off -fno-math-errno \
          $(if $(SAN),$(INSTRUMENTS))
CFLAGS_ALL := $(MODE) $(WARN) $(CFLAGS)
LIBS   := -lgsl -lopenblas -lsqlite3 -llbfgs -lz -lxxhash -lnettle -lcurl -linih -lm $(if $(COVERED),-Wl$(comma)--wrap=_exit)

# Rooms of the harness from bottom to top: a file includes and calls its own room and those before it.
ROOMS      := base text numeric data privacy oracle cell exec record store run pool plan shards judge nights report studies cli
# What can change a number, beside the units themselves: their sources make the core hash of a fingerprint.
CORE_ROOMS := base numeric data privacy oracle cell run

ALGOS      := $(sort $(wildcard algos/*.c))
ESTIMATORS := $(sort $(wildcard algos/estimators/*.c))
PROBLEMS   := $(sort $(wildcard problems/*.c))
# A paper is a folder with a theorems.c, or one file; a unit either way.
PAPERS     := $(sort $(patsubst %/theorems.c,%,$(wildcard claims/*/theorems.c)) $(wildcard claims/*.c))
PLANTED    := $(sort $(wildcard tests/planted/*/*.c))
UNITS      := $(ALGOS) $(ESTIMATORS) $(PROBLEMS) $(PAPERS) $(PLANTED)
UNIT_SRC   := $(sort $(filter %.c,$(UNITS)) $(wildcard claims/*/*.c))
# Kernels of instruction sets that only x86-64 has.
SETS       := $(foreach set,avx2 avx512,harness/numeric/lanes_$(set).c harness/numeric/linear_$(set).c)
HARNESS    := $(filter-out harness/cli/main.c $(if $(X86),,$(SETS)),$(sort $(wildcard $(ROOMS:%=harness/%/*.c))))
CORE       := $(filter-out $(if $(X86),,$(SETS)),$(sort $(wildcard $(CORE_ROOMS:%=harness/%/*.c))))
TESTS      := $(sort $(wildcard tests/unit/test_*.c tests/contract/contract_*.c))
FUZZERS    := $(sort $(wildcard tests/fuzz/fuzz_*.c))
STEPS      := $(sort $(wildcard tests/bench/steps_*.c))
# bench_products.c is written for AVX-512.
BENCHES    := tests/bench/bench_limits.c \
              $(sort $(filter-out %/bench_limits.c $(if $(X86),,%/bench_products.c),$(wildcard tests/bench/bench_*.c)))

UNIT_OBJ := $(UNIT_SRC:%.c=$(O)/%.o)
LIB_OBJ  := $(HARNESS:%.c=$(O)/%.o) $(UNIT_OBJ) $(O)/gen/registry.o $(O)/gen/templates.o $(O)/gen/provenance.o \
            $(O)/gen/coverage.o $(O)/gen/statistics.o $(O)/gen/skeletons.o $(O)/gen/parts.o \
            $(if $(COVERED),$(O)/tests/support/counted_exit.o)
TEST_OBJ := $(TESTS:%.c=$(O)/%.o)
TEST_NAMES := $(notdir $(TESTS:.c=))

# The pages of a report are read back by a parser of their own, and exports by pandas; some go to readers of PyPI.
test test-deps coverage mutants: PACKAGES += libxml2-utils python3-pandas python3-matplotlib python3-venv \
    python3-numpy python3-scipy
# Tests say python3 and mean Debian's, for which these packages are installed. Another one may come first in PATH.
test test-long test-release coverage run-mutants: export PATH := $(CURDIR)/build/python:$(PATH)

# What people type starts a make of its own for the files. Two of these at once would write the same objects: such goals
# are made one after the other, also with -j, which the inner makes obey.
COMMANDS := all deps verify baseline nightly test test-deps test-cluster test-long test-release warnings fuzz mutants \
            coverage bench peers format install deb clean
ifneq ($(filter $(COMMANDS),$(or $(MAKECMDGOALS),all)),)
.NOTPARALLEL:
endif
.PHONY: $(COMMANDS) fuzzers run-fuzzers run-mutants read-files
.DELETE_ON_ERROR:
.SECONDARY:

all: deps
	@$(MAKE) --no-print-directory -j$(JOBS) $(B)/assay

# Installs what is missing; silent and without network when nothing is.
deps:
	@[ "$(DEPS)" = no ] || sh harness/make/install.sh $(PACKAGES)

# --- objects: the firewall is what each folder may include
$(O)/algos/%.o:    INCLUDES = -Iharness/api -Ialgos/parts
$(O)/problems/%.o: INCLUDES = -Iharness/api -Iproblems/parts
$(O)/claims/%.o:   INCLUDES = -Iharness/api
$(O)/tests/planted/%.o: INCLUDES = -Iharness/api -Ialgos/parts
$(O)/harness/%.o:  INCLUDES = -Iharness/api -Iharness
$(O)/tests/%.o:    INCLUDES = -Iharness/api -Iharness -Itests -I.
$(O)/gen/%.o:      INCLUDES = -Iharness/api -Iharness

# The kernels of rng.h, vmath.h, vec.h and linear.h are compiled for three instruction sets and chosen when the
# program starts. In lanes_*.c vectors go side by side only if operations are put in order before registers are
# given out, which clang does unasked; in linear_*.c some kernels become slower by it.
ORDER  := $(if $(findstring clang,$(CC)),,-fschedule-insns -fsched-pressure)
AVX2   := -mavx2 -mfma
AVX512 := -mavx512f -mavx512dq -mavx512vl -mprefer-vector-width=512
$(O)/harness/numeric/lanes_avx2.o:    CFLAGS_ALL += $(AVX2) $(ORDER)
$(O)/harness/numeric/lanes_avx512.o:  CFLAGS_ALL += $(AVX512) $(ORDER)
$(O)/harness/numeric/linear_avx2.o:   CFLAGS_ALL += $(AVX2)
$(O)/harness/numeric/linear_avx512.o: CFLAGS_ALL += $(AVX512)

# The flags are a prerequisite: a changed compiler or flag rebuilds, and changes every fingerprint.
FLAGS_NOW := $(shell $(CC) --version 2>/dev/null | head -n 1) $(MODE) $(if $(X86),$(AVX2) $(AVX512) $(ORDER)) $(CFLAGS)
$(B)/flags: FORCE
	@mkdir -p $(@D); echo '$(FLAGS_NOW)' | cmp -s - $@ || echo '$(FLAGS_NOW)' > $@
.PHONY: FORCE
FORCE:

$(TEST_OBJ): TEST_FLAGS = -O1 -Dmain=$(*F)_main -Wno-missing-prototypes
ifdef ONLY_READ
$(O)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS_ALL) $(TEST_FLAGS) $(INCLUDES) -fsyntax-only $< && touch $@
else
# Beside each unit and core object stands the hash of the preprocessed text that it is compiled from: comments,
# blank lines and the names of files do not count, a changed constant does, in the file itself or in anything it
# includes.
$(UNIT_OBJ) $(CORE:%.c=$(O)/%.o): $(O)/%.o: %.c harness/make/source_hash.pl $(B)/flags
	@mkdir -p $(@D); echo "  CC    $<"
	@$(CC) $(CFLAGS_ALL) $(INCLUDES) -MMD -MP -MT $@ -MF $(@:.o=.d) -E $< -o $(@:.o=.i)
	@perl harness/make/source_hash.pl $(@:.o=.i) > $(@:.o=.hash)
	@$(CC) $(CFLAGS_ALL) -c $(@:.o=.i) -o $@; s=$$?; rm -f $(@:.o=.i); exit $$s

$(O)/%.o: %.c $(B)/flags
	@mkdir -p $(@D); echo "  CC    $<"
	@$(CC) $(CFLAGS_ALL) $(TEST_FLAGS) $(INCLUDES) -MMD -MP -c $< -o $@
endif

$(O)/gen/%.o: $(B)/gen/%.c $(B)/flags
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS_ALL) $(INCLUDES) -MMD -MP -c $< -o $@

# --- generated: the registry of the folders, the gnuplot templates, the provenance of this build
$(B)/gen/registry.c: harness/make/registry.sh $(UNIT_OBJ) $(CORE:%.c=$(O)/%.o) $(B)/flags $(B)/gen/units.names
	@mkdir -p $(@D); sh harness/make/registry.sh $(O) $(B)/flags "$(CORE)" $(UNITS) > $@
# A removed or renamed file changes no time of another, but the list of their names, which stands in a file.
$(B)/gen/%.names: FORCE
	@mkdir -p $(@D); echo '$(NAMES)' | cmp -s - $@ || echo '$(NAMES)' > $@
$(B)/gen/units.names:      NAMES = $(UNITS)
$(B)/gen/templates.names:  NAMES = $(sort $(wildcard plots/*.gp))
$(B)/gen/statistics.names: NAMES = $(wildcard results/baseline/statistics.csv)
$(B)/gen/skeletons.names:  NAMES = $(sort $(wildcard harness/cli/new/*.c.in))
$(B)/gen/parts.names:      NAMES = $(sort $(wildcard harness/report/page/report.*))
$(B)/gen/api.names:        NAMES = $(sort $(wildcard harness/api/*.h))
$(B)/gen/tests.names:      NAMES = $(TESTS)
$(B)/gen/benches.names:    NAMES = $(BENCHES)

$(B)/gen/templates.c: $(wildcard plots/*.gp) $(B)/gen/templates.names Makefile
	@mkdir -p $(@D); { echo '#include "text/templates.h"'; echo 'const struct template templates[] = {'; \
	for f in $(sort $(wildcard plots/*.gp)); do echo "{ \"$$(basename $$f .gp)\","; \
	    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$$/\\n"/' $$f; echo '},'; done; \
	echo '{ 0, 0 } };'; } > $@

# The table that `assay doctor --statistics` printed; without one the report says so.
$(B)/gen/statistics.c: $(wildcard results/baseline/statistics.csv) $(B)/gen/statistics.names Makefile
	@mkdir -p $(@D); { echo '#include "judge/calibrate.h"'; \
	echo 'const struct calibration calibration_kept[] = {'; \
	cat $(filter %.csv,$^) /dev/null | awk -F, 'NR > 1 { printf "{ \"%s\", \"%s\", \"%s\", \"%s\", %s, %s, %s, %s, \"%s\" },\n", \
	    $$1, $$2, $$3, $$4, $$5, $$6, $$7, $$9, $$11 }'; echo '{ 0 } };'; } > $@

# What `assay new` writes.
$(B)/gen/skeletons.c: $(wildcard harness/cli/new/*.c.in) $(B)/gen/skeletons.names Makefile
	@mkdir -p $(@D); { echo '#include "cli/new/skeletons.h"'; echo 'const struct template skeletons[] = {'; \
	for f in $(sort $(wildcard harness/cli/new/*.c.in)); do echo "{ \"$$(basename $$f .c.in)\","; \
	    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$$/\\n"/' $$f; echo '},'; done; \
	echo '{ 0, 0 } };'; } > $@

# Style sheet and script of the report's pages, and the words of the glossary with what they mean.
$(B)/gen/parts.c: $(wildcard harness/report/page/report.*) $(B)/gen/parts.names CONVENTIONS.md Makefile
	@mkdir -p $(@D); { echo '#include "report/page/parts.h"'; echo 'const struct template page_parts[] = {'; \
	for f in $(sort $(wildcard harness/report/page/report.*)); do echo "{ \"$$(basename $$f)\","; \
	    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$$/\\n"/' $$f; echo '},'; done; \
	echo '{ 0, 0 } };'; echo 'const struct template page_glossary[] = {'; \
	sed -n -e '/^## Names/q' -e '/^| word |/d' -e '/^|--/d' -e '/^| /{s/[\\*`]//g;s/"/\\"/g;s/^| */{ "/;s/ *| */", "/;s/ *| *$$/" },/;p}' \
	    CONVENTIONS.md; echo '{ 0, 0 } };'; } > $@

# What plug-ins may use of the program: every word before a parenthesis in a header of the contract.
# More than its functions, but the linker passes over words that are no symbol.
$(B)/gen/api.list: $(wildcard harness/api/*.h) $(B)/gen/api.names Makefile
	@mkdir -p $(@D); { echo '{'; grep -ohE '[a-z_][a-z0-9_]* *\(' $(sort $(wildcard harness/api/*.h)) \
	    | tr -d ' (' | sort -u | sed 's/$$/;/'; echo '};'; } > $@

$(B)/gen/coverage.c: harness/make/coverage.sh $(TESTS) $(B)/gen/tests.names
	@mkdir -p $(@D); sh harness/make/coverage.sh $(TESTS) > $@

# SOURCE_COMMIT: the commit of a tree that is no repository, as that from which a package is made.
# Each make writes a file of its own, named after its shell's process, since two may run at once.
$(B)/gen/provenance.c: FORCE
	@mkdir -p $(@D); { echo '#include "text/provenance.h"'; \
	echo 'const char provenance_version[] = "$(VERSION)";'; \
	echo "const char provenance_commit[] = \"$(or $(SOURCE_COMMIT),$$(git rev-parse --verify -q HEAD 2>/dev/null || echo unknown))\";"; \
	echo "const char provenance_dirty[] = \"$$([ -z '$(SOURCE_COMMIT)' ] && git status --porcelain 2>/dev/null | grep -qE '^([^?]|.. (algos|problems|claims|harness|tests)/)' && echo yes || echo no)\";"; \
	echo "const char provenance_compiler[] = \"$$($(CC) --version | head -n 1)\";"; \
	echo 'const char provenance_flags[] = "$(MODE) $(CFLAGS)";'; } > $@.$$$$; \
	cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@

# Thin: the objects stay where they are, and are not copied.
$(B)/libassay.a: $(LIB_OBJ)
	@rm -f $@; ar rcsT $@ $^

# The whole library: a plug-in may ask for what nothing else here asks for.
$(B)/assay: $(O)/harness/cli/main.o $(B)/libassay.a $(B)/gen/api.list
	@echo "  LINK  $@"
	@$(CC) $(CFLAGS_ALL) $< -Wl,--whole-archive $(B)/libassay.a -Wl,--no-whole-archive \
	    -Wl,--dynamic-list=$(B)/gen/api.list $(LDFLAGS) $(LIBS) -o $@

# All tests are one program: `build/assay-tests NAME` is main() of tests/unit/NAME.c.
$(B)/assay-tests: $(TEST_OBJ) $(FUZZERS:%.c=$(O)/%.o) $(O)/gen/tests.o $(B)/libassay.a
	@echo "  LINK  $@"
	@$(CC) $(CFLAGS_ALL) $(filter %.o,$^) $(filter %.a,$^) -lcmocka $(LIBS) -o $@
$(B)/gen/tests.c: tests/main.sh $(B)/gen/tests.names
	@mkdir -p $(@D); sh tests/main.sh $(TEST_NAMES) > $@
$(O)/tests/%.o: CFLAGS_ALL += -DBUILD_DIR='"$(abspath $(B))"' -DSOURCE_DIR='"$(CURDIR)"' -DROOMS='"$(ROOMS)"'
$(B)/stream_random $(B)/fill_store: $(B)/%: $(O)/tests/long/%.o $(B)/libassay.a
	@$(CC) $(CFLAGS_ALL) $^ $(LIBS) -o $@

# --- what people type
verify: all
	@$(B)/assay verify --profile quick -j$(JOBS); s=$$?; [ $$s -eq 0 ] || [ $$s -eq 3 ]

# What the quick profile comes to is what .ci/run compares with from now on: lines that are as before stay. A
# contradiction that is not accepted yet is named and left out: assay accept CLAIM --reason TEXT.
baseline: all
	@mkdir -p results/store
	@$(B)/assay verify --profile quick -j$(JOBS) > results/store/baseline.txt; s=$$?; \
	    [ $$s -eq 0 ] || [ $$s -eq 1 ] || [ $$s -eq 3 ]
	@$(B)/assay accept '*' --profile quick --reason 'as it should be'

# The night's run, in a store of its own: BUDGET=60m leaves out what there is no time for. The kernels are timed
# first, alone, two minutes; where that fails the night goes on without. make makes one code of all failures: 3,
# something was not run or is new and open, fails no night, so it is none here. All machines that have AVX2 run it as
# one kind, since the counts of some solvers follow the last bits.
BUDGET ?=
KERNELS := results/store/bench.csv
nightly: all
	@$(MAKE) --no-print-directory $(B)/bench
	@mkdir -p $(dir $(KERNELS)); rm -f $(KERNELS); \
	$(B)/bench --csv=$(KERNELS) > $(KERNELS:.csv=.txt) 2>&1 || \
	    { echo "make bench failed, see $(KERNELS:.csv=.txt)" >&2; rm -f $(KERNELS); }; \
	$(B)/assay nightly -j$(JOBS) $(if $(BUDGET),--budget $(BUDGET)) $$(grep -qsw avx2 /proc/cpuinfo && echo --arch avx2) \
	    $$([ -f $(KERNELS) ] && echo --bench $(KERNELS)); \
	s=$$?; [ $$s -eq 0 ] || [ $$s -eq 3 ]

# The packages of the tests, for .ci/run, which compiles meanwhile.
test-deps: deps

test: deps
	@mkdir -p build/python; ln -sf /usr/bin/python3 build/python/python3
	@$(MAKE) --no-print-directory -j$(JOBS) $(B)/assay $(B)/assay-tests
	@JOBS=$(JOBS) sh tests/run.sh $(B)/assay-tests $(or $(TEST),$(TEST_NAMES))

# A Slurm of three nodes on this machine; SMOKE=smoke: the part of it that takes a minute; SMOKE=quick: the whole quick
# profile, also by shards without Slurm, ten minutes. Needs root.
test-cluster: all
	@sh tests/cluster/test_cluster.sh $(B)/assay $(SMOKE)

test-long: test
	@sh tests/long/run.sh sample $(B)

test-release: test
	@sh tests/long/run.sh release $(B)

# What another compiler warns of: make CC=clang warnings. It reads all files and compiles none.
warnings: deps
	@command -v $(firstword $(CC)) >/dev/null || sh harness/make/install.sh $(firstword $(CC))
	@rm -rf $(B)/read; $(MAKE) --no-print-directory -j$(JOBS) O=$(B)/read ONLY_READ=yes read-files
read-files: $(patsubst %.c,$(O)/%.o,$(HARNESS) harness/cli/main.c $(UNIT_SRC) $(TESTS) $(FUZZERS) $(wildcard tests/bench/*.c))

# Do the tests notice a changed operator? 300 mutants of the statistics, the oracle and the accountants, MINUTES of them.
MINUTES ?= 10
mutants: deps
	@$(MAKE) --no-print-directory -j$(JOBS) $(B)/assay-tests run-mutants
run-mutants: $(B)/assay-tests
	@MINUTES=$(MINUTES) AGAIN=$(AGAIN) python3 tests/mutants.py $(B) '$(CC) $(MODE) -Iharness/api -Iharness' \
	    '$(CC) -fuse-ld=gold -Wl,--strip-debug $(MODE) $(TEST_OBJ) $(FUZZERS:%.c=$(O)/%.o) $(O)/gen/tests.o $(B)/libassay.a -lcmocka $(LIBS)'

# How many lines and branches of each room the tests run. A test that fails here, as it measures time, is named and
# does no harm. ROOM=name also lists the lines of a room that no test runs.
coverage: deps
	@mkdir -p build/san-coverage; find build/san-coverage -name '*.gcda' -delete
	@$(MAKE) --no-print-directory DEPS=no SAN=coverage test > build/san-coverage/said.txt 2>&1 || \
	    grep -E '^FAILED|Error' build/san-coverage/said.txt
	@grep '^tests: ' build/san-coverage/said.txt; python3 tests/coverage.py build/san-coverage/obj $(ROOM)

# Every parser, the store and whole commands against libFuzzer, SECONDS each, or TEST=fuzz_NAME alone. What it finds
# is left in the folder named at the end and, once it is mended, kept in tests/corpus, where test_corpus finds it.
# What was tried is added to docs/testing.csv.
SECONDS ?= 20
fuzz: deps
	@command -v clang >/dev/null || sh harness/make/install.sh clang
	@$(MAKE) --no-print-directory -j$(JOBS) CC=clang SAN=fuzzer-no-link,address,undefined fuzzers
	@$(MAKE) --no-print-directory CC=clang SAN=fuzzer-no-link,address,undefined run-fuzzers
fuzzers: $(FUZZERS:tests/fuzz/%.c=$(B)/fuzz/%)
run-fuzzers:
	@ENOUGH=$(ENOUGH) python3 tests/fuzz.py $(B) $(SECONDS) $(or $(TEST:fuzz_%=%),$(FUZZERS:tests/fuzz/fuzz_%.c=%))
$(B)/fuzz/%: $(O)/tests/fuzz/%.o $(B)/libassay.a
	@mkdir -p $(@D); echo "  LINK  $@"
	@$(CC) $(CFLAGS_ALL) -fsanitize=fuzzer $^ $(LIBS) -o $@
# What a fuzzer looks for are new edges in what reads input, not in the mathematics or the search for a near name, whose
# loops they would slow down.
ifneq ($(findstring fuzzer,$(SAN)),)
$(O)/tests/fuzz/%.o: CFLAGS_ALL += -DFUZZING
$(O)/algos/%.o $(O)/problems/%.o $(O)/harness/numeric/%.o $(O)/harness/cell/nearest.o: \
    CFLAGS_ALL += -fno-sanitize=fuzzer-no-link
endif

# Google Benchmark is C++: one wrapper file; the cases are C, a file of tests/bench/bench_*.c a group of them.
bench: all
	@$(MAKE) --no-print-directory $(B)/bench
	@$(B)/bench $(if $(CSV),--csv=$(CSV)) $(foreach word,$(BENCH),'$(word)')
$(B)/bench: $(BENCHES:%.c=$(O)/%.o) $(STEPS:%.c=$(O)/%.o) $(O)/heard.o $(O)/gen/benches.o $(O)/harness/nights/gbench.o \
            $(B)/libassay.a
	@echo "  LINK  $@"; g++ $(filter -fsanitize%,$(MODE)) $^ -lbenchmark -lpthread $(LIBS) -o $@
$(O)/harness/nights/gbench.o: harness/nights/gbench.cc harness/nights/gbench.h
	@mkdir -p $(@D); echo "  CXX   $<"; g++ -O2 -g -Wall -Wextra -Werror -Iharness -c $< -o $@
# The methods once more, with what they ask coming through tests/bench/steps_heard.c: __wrap_NAME for NAME.
$(O)/heard.o: $(ALGOS:%.c=$(O)/%.o) $(O)/tests/bench/steps_heard.o
	@ld -r $$(nm $(O)/tests/bench/steps_heard.o | sed -n 's/.* T __wrap_/--wrap=/p') $(ALGOS:%.c=$(O)/%.o) -o $@
# A multiply-add is one instruction where there is one: what kernels are compared with.
$(O)/tests/bench/bench_limits.o: CFLAGS_ALL += -ffp-contract=fast
$(B)/gen/benches.c: $(BENCHES) $(B)/gen/benches.names Makefile
	@mkdir -p $(@D); { echo '#include "nights/gbench.h"'; \
	for g in $(notdir $(BENCHES:.c=)); do echo "extern const struct gbench_group $$g;"; done; \
	echo 'const struct gbench_group *const gbench_groups[] = {'; \
	for g in $(notdir $(BENCHES:.c=)); do echo "&$$g,"; done; echo '0 };'; } > $@

# Methods beside the same in other languages: equal answers first, then times; what they find is kept for the
# report. The other programs come from PyPI into build/peers. `make peers PYTHON=python3` takes those of that python
# and skips the others. The last lines say what is wrong: an answer differs, or a peer is faster.
PEERS  := $(filter-out %/peers_table.py,$(sort $(wildcard tests/peers/peers_*.py)))
PYTHON ?= $(B)/peers/bin/python
peers: PACKAGES += python3-venv
peers: deps
	@$(MAKE) --no-print-directory -j$(JOBS) $(B)/assay $(B)/bench \
	    $(if $(findstring $(B)/peers/,$(PYTHON)),$(B)/peers/installed)
	@$(PYTHON) tests/peers/peers_table.py results/peers.csv $(B)/assay $(PEERS)

$(B)/peers/installed: tests/peers/requirements.txt
	@rm -rf $(@D); /usr/bin/python3 -m venv $(@D)
	@$(@D)/bin/python -m pip install -q --disable-pip-version-check -r $<; touch $@

# Formats the lines changed since the last commit; tables laid out by hand stay as they are.
format:
	@command -v git-clang-format >/dev/null || sh harness/make/install.sh clang-format
	@git clang-format --extensions c,h,cc || true

# The manual page and the completions are what the program says of itself.
$(B)/share/%: $(B)/assay
	@mkdir -p $(@D); $< help $* > $@

install: all
	@$(MAKE) --no-print-directory $(B)/share/man $(B)/share/bash $(B)/share/zsh
	install -D -m 755 $(B)/assay $(DESTDIR)$(PREFIX)/bin/assay
	install -D -m 644 $(B)/share/man $(DESTDIR)$(PREFIX)/share/man/man1/assay.1
	install -D -m 644 $(B)/share/bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/assay
	install -D -m 644 $(B)/share/zsh $(DESTDIR)$(ZSHDIR)/_assay
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/include/assay harness/api/*.h
	for c in python r; do install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/assay/clients/$$c clients/$$c/*.* || exit 1; done
	sed -e 's,@PREFIX@,$(PREFIX),' -e 's,@VERSION@,$(VERSION),' packaging/assay.pc.in > $(B)/assay.pc
	install -D -m 644 $(B)/assay.pc $(DESTDIR)$(PREFIX)/share/pkgconfig/assay.pc

# A package for Debian of what is committed, in build/deb.
deb: PACKAGES += debhelper lintian
deb: deps
	@sh packaging/deb.sh build/deb

clean:
	rm -rf build

-include $(wildcard $(shell find $(O) -name '*.d' 2>/dev/null))
