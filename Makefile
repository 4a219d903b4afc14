# graphlearn: build, install, check, demo.
#
#   make demo     install what is missing, build, and label handwritten digits
#   make check    everything that can fail, ending with "N passed, N failed"
#   make install  build and install for the server of PG_CONFIG
#
# The build goes through PGXS.  The house goals (demo, check, ...) live in
# test/check.mk; they must work before PostgreSQL's headers exist, so PGXS is
# read only for the goals that build.

EXTENSION  = graphlearn
EXTVERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" graphlearn.control)
MODULE_big = graphlearn

# Empty when nothing is installed yet, and then looked for again by the make
# that follows setup.
ifeq ($(strip $(PG_CONFIG)),)
PG_CONFIG := $(shell scripts/setup --pg-config)
endif

# --- what both halves share -------------------------------------------------

CORE_SRC := $(sort $(wildcard src/core/*/*.c))
PG_SRC   := $(sort $(wildcard src/pg/*.c))

# Serial OpenBLAS: the threaded builds start threads in every backend that
# loads them.  Debian keeps each build in a folder of its own and all share
# one soname, so a run path is what chooses.  Elsewhere take what there is.
MULTIARCH   := $(shell $(CC) -print-multiarch 2>/dev/null)
SERIAL_BLAS := $(wildcard /usr/lib/$(MULTIARCH)/openblas-serial/libopenblas.so)
ifneq ($(SERIAL_BLAS),)
BLAS_CPPFLAGS = -I/usr/include/$(MULTIARCH)/openblas-serial
BLAS_LIBS     = -L$(dir $(SERIAL_BLAS)) -Wl,-rpath,$(patsubst %/,%,$(dir $(SERIAL_BLAS))) -lopenblas
else
BLAS_CPPFLAGS = $(shell pkg-config --cflags openblas 2>/dev/null)
BLAS_LIBS     = $(shell pkg-config --libs openblas 2>/dev/null || echo -lopenblas)
endif

# No fused multiply-add by itself, no -march, no -ffast-math: the same bits on
# every machine.  The core is hot, the glue is not.
LANGUAGE_CFLAGS = -std=gnu11 -ffp-contract=off -fno-math-errno -Wall -Wextra -Wno-declaration-after-statement
CORE_CFLAGS     = -O3
# The server's macros and callbacks have parameters nobody reads.
GLUE_CFLAGS     = -O2 -Wno-unused-parameter -Wno-sign-compare -Wno-missing-field-initializers
ifdef WERROR
LANGUAGE_CFLAGS += -Werror
endif

# --- house goals, or PGXS ---------------------------------------------------

HOUSE_GOALS = setup demo psql check check-% fuzz fuzz-% bench build/bench/%
ifneq ($(filter $(HOUSE_GOALS),$(MAKECMDGOALS)),)

include test/check.mk

else

# PGXS compiles a second time to bitcode and ignores our float flags there;
# the JIT could then round differently.  Nothing of ours gains by inlining.
override with_llvm = no

OBJS        = $(CORE_SRC:.c=.o) $(PG_SRC:.c=.o)
SQL_PARTS   = $(sort $(wildcard src/sql/[0-9]*.sql))
DATA        = $(sort $(wildcard src/sql/upgrade/*--*--*.sql))
DATA_built  = $(EXTENSION)--$(EXTVERSION).sql
EXTRA_CLEAN = $(DATA_built) $(OBJS:.o=.d) build
PG_CPPFLAGS = -Isrc/core -Isrc/pg $(BLAS_CPPFLAGS) -DGRAPHLEARN_VERSION='"$(EXTVERSION)"'
PG_CFLAGS   = $(LANGUAGE_CFLAGS) -MMD -MP
SHLIB_LINK  = -Wl,--version-script=src/pg/exports.map $(BLAS_LIBS) -lm

PGXS := $(if $(PG_CONFIG),$(shell $(PG_CONFIG) --pgxs 2>/dev/null))
SERVER_HEADER := $(if $(PG_CONFIG),$(wildcard $(shell $(PG_CONFIG) --includedir-server 2>/dev/null)/postgres.h))

ifeq ($(and $(PGXS),$(SERVER_HEADER)),)
clean:
	rm -rf build $(DATA_built) $(MODULE_big).so $(OBJS) $(OBJS:.o=.d)
ifeq ($(filter clean,$(MAKECMDGOALS)),)
$(error PostgreSQL's server headers are missing; run scripts/setup, or set PG_CONFIG)
endif
else
include $(PGXS)
endif

$(CORE_SRC:.c=.o): CFLAGS += $(CORE_CFLAGS)
$(PG_SRC:.c=.o): CFLAGS += $(GLUE_CFLAGS)

# Objects know their headers, and the flags and the server they were built for.
# What was built with -Werror need not be built again without it.
-include $(wildcard $(OBJS:.o=.d))
$(OBJS): build/flags
$(MODULE_big).so: src/pg/exports.map build/flags
BUILD_FLAGS = $(CC) $(CPPFLAGS) $(CFLAGS) $(CORE_CFLAGS) $(GLUE_CFLAGS) $(SHLIB_LINK) $(OBJS)
build/flags: FORCE
	@mkdir -p $(@D); [ -e $@ ] || : > $@; \
	want='$(subst ','\'',$(BUILD_FLAGS))'; \
	have=$$(cat $@ $(if $(WERROR),,| sed 's/ -Werror / /')); \
	[ "$$have" = "$$want" ] || printf '%s\n' "$$want" > $@
.PHONY: FORCE

$(DATA_built): $(SQL_PARTS) graphlearn.control
	@{ printf '%s\n\n' '\echo Use "CREATE EXTENSION $(EXTENSION)" to load this file. \quit'; \
	   cat $(SQL_PARTS); } > $@.new && mv $@.new $@

endif
