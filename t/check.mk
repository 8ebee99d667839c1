# What `make check` looks at, beside the tests: how the code is written, what
# the headers and libraries show, and whether the suite stays clean under
# compilers and tools that see more. Each part can be run alone. Findings are
# printed; there is no list of exceptions.

CHECKS := check-lint check-headers check-symbols check-warnings \
	check-sanitizers check-threads check-memory

check: deps-check ## Lint, headers, symbols, warnings, sanitizers
	@for part in $(CHECKS); do \
		echo "== $$part"; \
		$(MAKE) -s --no-print-directory $$part || exit 1; \
	done
	@git diff --quiet && test -z "$$(git status --porcelain)" || { \
		echo "make check: the tree is not clean:"; \
		git status --short; exit 1; }
	@echo "make check: all clean"

# Files that are written by hand, new ones included.
sources = $(shell git ls-files --cached --others --exclude-standard -- $(1) | \
	while read -r f; do test ! -e "$$f" || echo "$$f"; done)

check-lint: C_FILES = $(call sources,'*.c' '*.h' '*.cpp')
check-lint: CODE = $(C_FILES) $(call sources,'*.py' '*.sh' '*.mk' Makefile)
check-lint: ## Format, house limits, names of tests, include arrows, layout
	@clang-format --dry-run -Werror $(C_FILES)
	@$(PYTHON) t/lint/limits.py $(CODE)
	@$(PYTHON) t/lint/names.py $(call sources,'t/*')
	@$(PYTHON) t/lint/arrows.py
	@$(PYTHON) t/lint/layout.py
	@mandoc -T lint -W warning helper/trace2.1 ref/libtrace2.3

# A header must not lean on what was included before it.
COMPILE = $(CPPFLAGS) -Iref $(WARN) -fsyntax-only
HEADERS = $(call sources,'ref/*.h')

check-headers: ## Each header alone; the public one as C++ and switched off
	@for cc in gcc clang; do \
		for h in $(HEADERS); do \
			$$cc -std=c11 -D_POSIX_C_SOURCE=200809L $(COMPILE) \
				-include $$h -x c /dev/null || exit 1; \
		done; \
	done
	@for flags in "" -DTRACE2_DISABLE; do \
		gcc -std=c11 $(COMPILE) $$flags t/lint/all_calls.c && \
		clang -std=c11 $(COMPILE) $$flags t/lint/all_calls.c && \
		g++ -std=c++17 $(COMPILE) $$flags -x c++ t/lint/all_calls.c && \
		clang++ -std=c++17 $(COMPILE) $$flags -x c++ \
			t/lint/all_calls.c || exit 1; \
	done

check-symbols: ## The libraries show nothing but trace2_*
	$(SUBMAKE) build
	@$(PYTHON) t/lint/symbols.py $(STATIC) $(SHARED)

check-warnings: ## gcc and clang build everything without a warning
	$(SUBMAKE) units
	$(SUBMAKE) B=build/clang CC=clang CXX=clang++ units

# Another build of everything, and the suite run on its programs.
suite-in = $(SUBMAKE) B=build/$(1) OPT='$(2)' units && \
	$(MAKE) -s --no-print-directory B=build/$(1) TEST_UNDER=$(1) suite

check-sanitizers: ## The suite under address and undefined behaviour sanitizers
	$(call suite-in,asan,-O1 -g -fsanitize=address$(comma)undefined \
		-fno-sanitize-recover=all)

check-threads: ## The suite under the thread sanitizer
	$(call suite-in,tsan,-O1 -g -fsanitize=thread)

check-memory: ## A sample of the suite under valgrind
	$(SUBMAKE) units
	@t/lint/valgrind.sh

comma := ,

.PHONY: check $(CHECKS)
