# What `make check` looks at, beside the tests: how the code is written, what
# the headers and libraries show, and whether the suite stays clean under
# compilers and tools that see more. Each part can be run alone. Findings are
# printed; there is no list of exceptions.

# Two tiers beside `make test`. What every change has to pass, for which 25
# minutes on two processors are the aim, the sanitizers early:
CHECKS := check-lint suite check-sanitizers check-threads check-warnings \
	check-undefined check-headers check-symbols check-abi check-ports \
	check-random check-storm check-rebase check-wasm
# and what takes hours, before an issue that touches its subject is closed.
NIGHTLY := check-lto change-cost check-engine check-faults check-mutation \
	check-switches check-readers check-package check-host check-hosts \
	check-long check-fuzz check-memory suite-sanitizers suite-threads \
	check-wasm-page check-node

# pytest rewrites and compiles each file of tests when it first reads it. Do
# that once, while the compiler runs, and not in each worker.
$(B)/t/compiled: $(wildcard t/*.py t/*/*.py t/*/*/*.py t/*/*/*/*.py)
	@mkdir -p $(@D); export $(TEST_ENV); \
	$(PYTHON) -m pytest --collect-only t >/dev/null 2>&1 || :; touch $@

define run-parts
	@helper/deps.sh missing check; before=$$(git status --porcelain); \
	failed=; \
	for part in $(1); do \
		echo "== $$part"; begun=$$(date +%s); \
		$(MAKE) -s --no-print-directory $$part || \
			failed="$$failed $$part"; \
		echo "== $$part: $$(($$(date +%s) - begun)) s"; \
	done; \
	test "$$(git status --porcelain)" = "$$before" || { \
		echo "make $@: left behind in the tree:"; \
		git status --short; failed="$$failed tree"; }; \
	test ! "$$failed" || { echo "make $@: failed:$$failed"; exit 1; }
endef

check: ## Lint, sanitizers, warnings, headers, symbols, other machines
	$(call run-parts,$(CHECKS))

nightly: ## What takes hours: mutation, fuzzing, valgrind
	$(call run-parts,$(NIGHTLY))

list-checks: ## The parts of make check, on a line
	@echo $(CHECKS)

# Files that are written by hand, new ones included.
sources = $(shell git ls-files --cached --others --exclude-standard -- $(1) | \
	while read -r f; do test ! -e "$$f" || echo "$$f"; done)

check-lint: C_FILES = $(call sources,'*.c' '*.h' '*.cpp')
check-lint: CODE = $(C_FILES) $(call sources,'*.py' '*.sh' '*.mk' Makefile)
# SC2034: the bodies of test_expect use variables where shellcheck sees text.
check-lint: ## Format, house limits, names, include arrows, layout
	@clang-format --dry-run -Werror $(C_FILES)
	@$(PYTHON) t/tools/lint/limits.py $(CODE)
	@$(PYTHON) t/tools/lint/names.py $(call sources,'t/*')
	@$(PYTHON) t/tools/lint/functions.py $(C_FILES)
	@$(PYTHON) t/tools/lint/arrows.py
	@$(PYTHON) t/tools/lint/targets.py
	@$(PYTHON) t/tools/lint/kinds.py
	@$(PYTHON) t/tools/lint/layout.py
	@$(PYTHON) t/tools/lint/system.py
	@$(PYTHON) t/tools/lint/wasi.py
	@$(PYTHON) t/tools/lint/documents.py
	@shellcheck -x -S warning -e SC2034 $(call sources,'*.sh' .ci/run)
	@mandoc -T lint -W warning $(PAGES) ref/libtrace2.3

map: ## Draw the map of the rooms into HACKING.md
	@$(PYTHON) t/tools/lint/arrows.py --write HACKING.md

golden: ## Rewrite golden/ from what test-tool writes
	$(SUBMAKE) all
	@$(PYTHON) t/tools/golden write
	@for s in t/t02*.sh; do GOLDEN_WRITE=1 $$s >/dev/null || exit; done

check-golden: ## Compare what test-tool writes with golden/
	$(SUBMAKE) all
	@$(PYTHON) t/tools/golden check

check-headers: ## Each header alone; the public one as C++ and switched off
	@$(PYTHON) -m pytest t/packages/install/test_headers.py -n $(JOBS)

check-symbols: ## The libraries show nothing but trace2_*, trace_*
	$(SUBMAKE) all
	@$(PYTHON) t/tools/lint/symbols.py $(STATIC) $(SHARED)

check-lto: ## Both libraries, built with link-time optimisation
	@t/tools/lint/lto.sh $(CC) -flto=auto
	@t/tools/lint/lto.sh $(CC) '-flto=auto -ffat-lto-objects'
	@if command -v clang >/dev/null; then t/tools/lint/lto.sh clang -flto; \
	else echo 'SKIP clang -flto: no clang (clang)'; fi

check-ports: ## The library on other machines, under qemu-user, and with musl
	@PYTHON=$(PYTHON) t/library/ports/check.sh $(PORTS)

check-abi: ## The library exports what debian/libtrace2-0.symbols records
	$(SUBMAKE) all
	@if test -e debian; then \
		$(PYTHON) t/tools/lint/abi.py $(SHARED) debian/libtrace2-0.symbols; \
	else echo 'SKIP abi: a tarball, without debian/'; fi

symbols: ## Record the symbols that are new in debian/libtrace2-0.symbols
	$(SUBMAKE) all
	@$(PYTHON) t/tools/lint/abi.py --write $(VERSION) $(SHARED) \
		debian/libtrace2-0.symbols

corpus: ## Rewrite the logs in t/corpus that are made, not written
	@$(PYTHON) t/common/fxt_corpus.py
	@$(PYTHON) t/documents/schema/event_corpus.py

# Runs on what is built: make it anew.
change-cost: ## Make six small changes in a copy, and count their files
	$(SUBMAKE) all
	@PYTHON=$(PYTHON) t/tools/change-cost $(B)/cost

change-forgotten: ## Leave out each file of a new event: something asks for it
	$(SUBMAKE) all
	@PYTHON=$(PYTHON) t/tools/change-cost --forget $(B)/cost

.PHONY: golden check-golden symbols corpus change-cost change-forgotten

# With RELEASES='bookworm trixie' also in minimal roots of these, as root.
check-package: ## Build and check the Debian packages (RELEASES=, as root)
	@$(if $(RELEASES),,if ! test -e .git; then \
		echo 'SKIP package: not a clone'; exit; fi;) \
		t/packages/package.sh $(RELEASES)

check-warnings: ## gcc and clang build everything without a warning
	$(SUBMAKE) WERROR=-Werror units $(PERF)
	@if echo '#include <lttng/tracepoint.h>' | $(CC) -E - >/dev/null 2>&1; \
	then $(MAKE) -s --no-print-directory WERROR=-Werror \
		$(B)/perf/bench-lttng; \
	else echo 'SKIP bench-lttng: no LTTng (liblttng-ust-dev)'; fi
	$(SUBMAKE) $(BY_CLANG) units $(FUZZ_SRC:%.c=build/clang/%.o)

check-engine: ## Break the trace engine in many ways: its tests notice each
	$(SUBMAKE) units
	@$(PYTHON) -m pytest t/tools/faults/engine_faults_noticed.py -n $(JOBS)

check-switches: ## The kit notices each fault of the emitter in C++
	@PYTHONDONTWRITEBYTECODE= $(PYTHON) t/kit/switches.py

check-long: $(PARTS) ## The tests that make test leaves out
	$(SUBMAKE) units
	@export $(TEST_ENV); $(PYTHON) -m pytest t -n $(JOBS) \
		-m "long and not reader"

speedscope: ## Fetch the schema of speedscope's files by npm
	@helper/reader.sh speedscope build/speedscope

duckdb: ## Fetch DuckDB by npm
	@helper/reader.sh duckdb build/duckdb

otlp: ## Fetch the protocol of OTLP by npm
	@helper/reader.sh protobufjs build/protobufjs
	@helper/reader.sh otlp build/otlp

.PHONY: speedscope duckdb otlp

check-readers: ## Show traces and rows to other programs, if npm has them
	$(SUBMAKE) all
	@$(MAKE) -s --no-print-directory perfetto || true
	@$(MAKE) -s --no-print-directory devtools || true
	@$(MAKE) -s --no-print-directory speedscope || true
	@$(MAKE) -s --no-print-directory duckdb || true
	@$(MAKE) -s --no-print-directory otlp || true
	@export $(TEST_ENV); $(PYTHON) -m pytest t -m reader -rs

# Also long runs, in no other target.
N ?= 1000
kill-engine: ## Kill N traced programs in each mode (1000)
	$(SUBMAKE) units
	@$(B)/unit/trace/provider/kill $$(($(N) * 6))

kill-text: ## Kill N programs that write logs (1000), and 2048 threads
	$(SUBMAKE) units
	@$(TEST_ENV) $(B)/unit/process/stress/kill $(N)
	@$(B)/unit/process/stress/storm 32 64 20

check-storm: ## 100 kills, and 32 processes of 64 threads
	@$(MAKE) -s --no-print-directory kill-text N=100

check-random: ## 2000 random programs: validate accepts what they write
	@$(MAKE) -s --no-print-directory random PROGRAMS=2000

PROGRAMS ?= 100000
random: ## PROGRAMS (100000) random programs, from SEED on
	$(SUBMAKE) units
	@$(TEST_ENV) $(B)/unit/process/random/programs $(PROGRAMS) $(SEED)

LOGS ?= 100000
property: ## All views tell the same of LOGS random processes
	$(SUBMAKE) $(TOOLS)/trace2
	@$(PYTHON) -B t/tools/model/agree.py $(TOOLS)/trace2 $(LOGS)

collect-load: all ## 1,000 programs write to a service for a minute
	@rm -rf $(B)/collect-load; mkdir -p $(B)/collect-load
	@$(PYTHON) -B t/commands/collect/collect_load.py $(TOOLS)/trace2 $(B)/collect-load
	@rm -rf $(B)/collect-load

check-rebase: ## A rebase of 400 commits beside a reader that stands
	$(SUBMAKE) all
	@rm -rf $(B)/collect-rebase; mkdir -p $(B)/collect-rebase
	@$(PYTHON) -B t/commands/collect/collect_rebase.py $(TOOLS)/trace2 $(B)/collect-rebase
	@rm -rf $(B)/collect-rebase

.PHONY: property collect-load kill-engine kill-text random

# Build in another way and run what runs our programs. A report counts also
# where the test that led to it passed. A process under the thread sanitizer
# waits for its threads when it ends, and most have long done all. What tests
# preload may come before the address sanitizer.
define run-under
	$(SUBMAKE) B=build/$(1) OPT='$(2)' all
	@rm -rf build/$(1)/reports; mkdir -p build/$(1)/reports; code=0; \
	export TEST_UNDER=$(1) UBSAN_OPTIONS=print_stacktrace=1 \
		LSAN_OPTIONS='suppressions="$(LINT)/leaks.supp":print_suppressions=0' \
		ASAN_OPTIONS='log_path="$(CURDIR)/build/$(1)/reports/at":$\
		verify_asan_link_order=0' \
		TSAN_OPTIONS='log_path="$(CURDIR)/build/$(1)/reports/at":$\
		suppressions="$(LINT)/threads.supp":atexit_sleep_ms=50'; \
	$(MAKE) -s --no-print-directory -j$(JOBS) B=build/$(1) OPT='$(2)' \
		$(3) || code=1; \
	grep -sqE 'Sanitizer: |runtime error' build/$(1)/reports/* && { \
		cat build/$(1)/reports/*; code=1; }; \
	exit $$code
endef
LINT := $(CURDIR)/t/tools/lint
# Whole stacks in reports.
SLOW := -O1 -g1 -fno-omit-frame-pointer -fno-optimize-sibling-calls
ASAN := $(SLOW) -fsanitize=address$(comma)undefined -fno-sanitize-recover=all
TSAN := $(SLOW) -fsanitize=thread

run-units: all $(UNIT) ## Build and run the unit programs, and the scenarios
	@export $(TEST_ENV); $(PROVE) -Q $(UNIT) $(SCENARIOS)

THREADED = $(patsubst t/%.c,$(B)/%,$(shell grep -l "pthread_create\|process/lives_host.h\|destination/destination_forks.h" $(UNIT_SRC)))
run-threaded: $(THREADED) ## Build and run the unit programs that start threads
	@export $(TEST_ENV); $(PROVE) -Q $(THREADED)

check-sanitizers: ## Unit programs, scenarios under address, undefined sanitizers
	$(call run-under,asan,$(ASAN),run-units)

check-threads: ## The programs that start threads, under the thread sanitizer
	$(call run-under,tsan,$(TSAN),run-threaded)

suite-sanitizers: ## The suite under address and undefined sanitizers
	$(call run-under,asan,$(ASAN),suite)

suite-threads: ## The suite under the thread sanitizer
	$(call run-under,tsan,$(TSAN),suite)

# Clang's sanitizer knows more that is undefined, as 0 added to no address. A
# report is looked for in a file, since some programs own their standard error.
BY_CLANG = B=build/clang CC=clang CXX=clang++ WERROR=-Werror \
	OPT='-O1 -g1 -fsanitize=undefined -fno-sanitize-recover=all'
check-undefined: ## The unit programs under clang's undefined sanitizer
	$(SUBMAKE) $(BY_CLANG) units
	@rm -rf build/clang/reports; mkdir build/clang/reports
	@UBSAN_OPTIONS='log_path="$(CURDIR)/build/clang/reports/at"' \
		$(PROVE) -Q $(UNIT:$(B)/%=build/clang/%); code=$$?; \
	cat build/clang/reports/* 2>/dev/null && exit 1; exit $$code

# Valgrind gives a program no limits and no single steps, and minds who looks
# below the top of a stack.
NOT_IN_VALGRIND = %/hosts/steps %/hosts/small_stacks
check-memory: ## The unit programs under valgrind, verbs under helgrind
	$(SUBMAKE) units
	@t/tools/lint/helgrind.sh $(TOOLS)/test-tool
	@printf '%s\n' $(filter-out $(NOT_IN_VALGRIND),$(UNIT)) | \
		TEST_UNDER_VALGRIND=1 \
		xargs -n 1 -P $(JOBS) t/tools/lint/memory.sh

# A measure, no test: what runs under it is slower, and some of it writes
# more than a test allows. Processes that die of their own raise(), or leave
# by _exit(), write their counters first. Edges along which only an exception
# of C++ leaves a call are no branch of the source. A count that another
# thread changed while it was written may be taken for less than none.
GCOVR = gcovr -r . build/coverage --exclude build --exclude-throw-branches \
	--gcov-ignore-parse-errors
COVERED = $(GCOVR) --filter ref/ $(ROOMS:%=--filter helper/%/)
OTHERS_COVERED = $(GCOVR) $(CONVERT_ROOMS:%=--filter helper/%/) \
	--filter helper/record/manager/ --filter helper/record/
DYING = $(CURDIR)/build/coverage/dying.o
COUNTING = B=build/coverage OPT='-O0 -g1 --coverage -fprofile-update=atomic' \
	LDFLAGS='-Wl,--wrap=raise,--wrap=_exit "$(DYING)"'
coverage: ## Which lines and branches the suite reaches, by file
	@helper/deps.sh missing coverage
	@mkdir -p build/coverage; $(CC) -c -O1 -o "$(DYING)" t/tools/coverage/dying.c
	$(SUBMAKE) $(COUNTING) units
	@find build/coverage -name '*.gcda' -delete
	-@TEST_UNDER=coverage $(MAKE) -s --no-print-directory $(COUNTING) suite >build/coverage/suite.log 2>&1
	@$(COVERED) --html build/coverage.html
	@$(COVERED) --branches | tail -n 2 | sed 's/^TOTAL/branches/'
	@$(COVERED) --sort-uncovered
	@echo 'The other commands:'; $(OTHERS_COVERED) --sort-uncovered
	@$(OTHERS_COVERED) --branches | tail -n 2 | sed 's/^TOTAL/branches/'

check-bare: ## The README's commands in minimal roots of Debian 12 and 13
	@t/packages/bare.sh

.PHONY: check nightly list-checks map $(CHECKS) $(NIGHTLY) run-units \
	run-threaded check-bare coverage
