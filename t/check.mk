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

check-headers: ## Each header alone; the public one as C++ and switched off
	@$(PYTHON) -m pytest t/test_headers.py -n $(JOBS)

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
