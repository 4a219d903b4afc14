# The goals that are not the build: setup, demo, checks, fuzzing, benchmarks.
#
# Every ring (check-*) prints one line "ok NAME" or "not ok NAME" for each
# thing it tried, and fails if one failed; scripts/check counts those lines.
# Rings that need a server start a private one with scripts/cluster.

export PG_CONFIG
# Warnings are errors in the checks, and only there.
ifneq ($(filter check check-%,$(MAKECMDGOALS)),)
export WERROR = 1
endif
SUBMAKE = $(MAKE) -s --no-print-directory
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)

RINGS = build core-pure symbols unit fuzz-corpus regress tap docs server

.PHONY: setup demo psql check fuzz bench check-valgrind $(RINGS:%=check-%)

# Goals of the build named beside house goals: hand them to a make of their own.
BUILD_GOALS = $(filter-out $(HOUSE_GOALS),$(MAKECMDGOALS))
.PHONY: $(BUILD_GOALS)
$(BUILD_GOALS): setup
	@$(SUBMAKE) $@

setup:
	@scripts/setup

demo: setup
	@scripts/demo

# A private server with the extension in it, gone when psql ends.
psql: built
	@scripts/cluster psql

check: setup
	@scripts/check $(RINGS)

.PHONY: built
built: setup
	@$(SUBMAKE) -j$(JOBS) all

# --- build and layering -----------------------------------------------------

check-build: built
	@echo "ok build without warnings"

check-core-pure: built
	@scripts/check-layers pure

check-symbols: built
	@scripts/check-layers symbols

# --- the core without a server ----------------------------------------------

# Three kinds of build beside the module: san (address and undefined behaviour
# sanitizers), plain (as users build it, for valgrind), fuzz (clang's engine).
# Each has its own archive of the core, which every test program links to.
SANITIZE   = -fsanitize=address,undefined -fno-sanitize-recover=all
TEST_FLAGS = $(LANGUAGE_CFLAGS) -g -fno-omit-frame-pointer -Isrc/core -Itest/unit $(BLAS_CPPFLAGS) -MMD -MP
COMPILE.san   = $(CC) $(TEST_FLAGS) -O1 $(SANITIZE)
COMPILE.plain = $(CC) $(TEST_FLAGS) $(CORE_CFLAGS)
COMPILE.fuzz  = clang $(TEST_FLAGS) -Wno-unknown-warning-option -O1 $(SANITIZE) -fsanitize=fuzzer-no-link
LINK.san   = $(CC) $(SANITIZE)
LINK.plain = $(CC)
LINK.fuzz  = clang $(SANITIZE) -fsanitize=fuzzer

UNIT_TESTS := $(patsubst test/unit/%.c,%,$(sort $(wildcard test/unit/test_*.c)))
FUZZERS    := $(patsubst test/fuzz/%.c,%,$(sort $(wildcard test/fuzz/fuzz_*.c)))

define kind_rules
build/$(1)/core/%.o: src/core/%.c build/$(1)/flags
	@mkdir -p $$(@D)
	$$(COMPILE.$(1)) -c -o $$@ $$<
build/$(1)/%.o: test/unit/%.c build/$(1)/flags
	$$(COMPILE.$(1)) -c -o $$@ $$<
build/$(1)/%.o: test/fuzz/%.c build/$(1)/flags
	$$(COMPILE.$(1)) -c -o $$@ $$<
build/$(1)/core.a: $$(CORE_SRC:src/core/%.c=build/$(1)/core/%.o)
	@rm -f $$@
	@$$(AR) rcs $$@ $$^
build/$(1)/test_%: build/$(1)/test_%.o build/$(1)/core.a
	@$$(LINK.$(1)) -o $$@ $$^ $$(BLAS_LIBS) -lm
build/$(1)/fuzz_%: build/$(1)/fuzz_%.o $(2) build/$(1)/core.a
	@$$(LINK.$(1)) -o $$@ $$^ $$(BLAS_LIBS) -lm
# everything again when the flags or the list of sources change
build/$(1)/flags: FORCE
	@mkdir -p $$(@D)
	@echo '$$(COMPILE.$(1)) $$(CORE_SRC)' | cmp -s - $$@ || echo '$$(COMPILE.$(1)) $$(CORE_SRC)' > $$@
endef
$(eval $(call kind_rules,san,build/san/replay.o))
$(eval $(call kind_rules,plain))
$(eval $(call kind_rules,fuzz))
.PHONY: FORCE
.SECONDARY:
-include $(wildcard build/*/*.d build/*/core/*/*.d)

# A log is the output of a run; removed first, so that every test runs.
build/san/%.log: build/san/%
	@scripts/run-unit $< > $@ 2>&1
build/plain/%.log: build/plain/%
	@scripts/run-unit valgrind -q --leak-check=full --error-exitcode=99 $< > $@ 2>&1

check-unit: setup
	@rm -f build/san/test_*.log
	@$(SUBMAKE) -k -j$(JOBS) check-unit-logs; status=$$?; \
	 for t in $(UNIT_TESTS); do echo "# $$t"; cat build/san/$$t.log 2>/dev/null || echo "not ok $$t does not build"; done; \
	 exit $$status
.PHONY: check-unit-logs check-valgrind-logs
check-unit-logs: $(UNIT_TESTS:%=build/san/%.log)

check-valgrind:
	@scripts/setup valgrind
	@rm -f build/plain/test_*.log
	@$(SUBMAKE) -k -j$(JOBS) check-valgrind-logs; status=$$?; \
	 for t in $(UNIT_TESTS); do echo "# $$t"; cat build/plain/$$t.log 2>/dev/null || echo "not ok $$t does not build"; done; \
	 exit $$status
check-valgrind-logs: $(UNIT_TESTS:%=build/plain/%.log)

# test/fuzz/fuzz_NAME.c is an entry point of libFuzzer; its corpus is
# test/fuzz/corpus/NAME.  The check replays the corpus without the engine.
check-fuzz-corpus: setup
	@$(SUBMAKE) -j$(JOBS) fuzz-replayers
	@status=0; for f in $(FUZZERS); do \
		scripts/run-unit build/san/$$f test/fuzz/corpus/$${f#fuzz_} || status=1; \
	 done; exit $$status
.PHONY: fuzz-replayers
fuzz-replayers: $(FUZZERS:%=build/san/%)

FUZZ_SECONDS ?= 60
fuzz:
	@scripts/setup fuzz
	@$(SUBMAKE) -j$(JOBS) fuzz-run
.PHONY: fuzz-run
fuzz-run: $(FUZZERS:%=build/fuzz/%)
	@for f in $(FUZZERS); do \
		mkdir -p build/fuzz/found/$$f test/fuzz/corpus/$${f#fuzz_}; \
		build/fuzz/$$f -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=build/fuzz/$$f- \
			build/fuzz/found/$$f test/fuzz/corpus/$${f#fuzz_} || exit 1; \
	 done

# --- with a server ----------------------------------------------------------

check-regress: built
	@scripts/cluster run scripts/check-regress $(TESTS)

check-tap: built
	@scripts/cluster run scripts/check-tap $(TESTS)

check-docs: built
	@scripts/cluster run scripts/check-docs $(TESTS)

check-server: built
	@scripts/check-server $(TESTS)

# make bench [NAME=...]: see bench/.  PGXS has a NAME of its own, which the
# build must not inherit from the command line.
MAKEOVERRIDES := $(filter-out NAME=%,$(MAKEOVERRIDES))

BENCH_PROGRAMS = $(patsubst bench/%.c,build/bench/%,$(wildcard bench/*.c))

build/bench/%: bench/%.c bench/plain_host.h $(CORE_SRC) $(wildcard src/core/*/*.h)
	@mkdir -p $(@D)
	@$(CC) $(LANGUAGE_CFLAGS) $(CORE_CFLAGS) -Isrc/core $(BLAS_CPPFLAGS) \
		-o $@ $< $(CORE_SRC) $(BLAS_LIBS) -lm

bench: built
	@scripts/setup bench
	@$(SUBMAKE) $(BENCH_PROGRAMS)
	@scripts/cluster run bench/run $(NAME)
