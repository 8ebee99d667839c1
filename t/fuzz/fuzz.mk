# Fuzzing by libFuzzer. `make fuzz-fxt SECONDS=60` runs each target for that
# long, RUNS=1000000 that often; it begins with the corpora of the suite, and
# what it finds stays in build/fuzz/. `make check` does it for seconds.

SECONDS ?= 60
FUZZ_LIMIT = $(if $(RUNS),-runs=$(RUNS),-max_total_time=$(SECONDS))
FUZZ_FXT := fxt_reader fxt_convert
FUZZ_TEXT := config settings texts
FUZZ_SRC := $(wildcard t/fuzz/*.c)
FUZZ_OPT := -O2 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all

check-fuzz: ## Fuzz for a moment
	@if echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' | \
		clang -fsanitize=fuzzer -x c -o /dev/null - 2>/dev/null; then \
		$(MAKE) -s --no-print-directory fuzz-fxt fuzz-manager fuzz \
			SECONDS=5; \
	else \
		echo 'SKIP fuzz: no libFuzzer (libclang-rt-14-dev)'; \
	fi
	@$(MAKE) -s --no-print-directory fuzz-gitconfig

# Objects that count what they reach, in a build of their own. What they compare
# is not watched: that costs a third of the time, and the seeds have the words.
FUZZ_BUILD = $(SUBMAKE) B=build/fuzz CC=clang CXX=clang++ \
	OPT='$(FUZZ_OPT) -fsanitize=fuzzer-no-link \
		-fno-sanitize-coverage=trace-cmp'

# A shell function: fuzz NAME LENGTH, inputs of at most that many bytes. Memory
# that was freed comes back soon: to touch new pages costs more than the rest.
# To weigh features by how rare they are costs as much as the code.
FUZZ = export ASAN_OPTIONS=quarantine_size_mb=1:malloc_context_size=2; \
	fuzz() { \
	at=build/fuzz/$$1; corpus=build/fuzz/corpus/$$1; mkdir -p $$corpus; \
	$(PYTHON) t/fuzz/seeds.py $$1 $$corpus || exit 1; \
	$$at $(FUZZ_LIMIT) -max_len=$$2 -entropic=0 \
		-timeout=10 -reload=0 -rss_limit_mb=2048 -verbosity=0 -print_final_stats=1 \
		-close_fd_mask=1 -artifact_prefix=$$at- $$corpus \
		>$$at.log 2>&1 || { cat $$at.log; exit 1; }; \
	sed -n "s/.*number_of_executed_units: */fuzz: $$1 /p" $$at.log; \
}

fuzz-fxt: ## Fuzz the reader of archives and convert, SECONDS=60 each
	$(FUZZ_BUILD) $(FUZZ_FXT:%=build/fuzz/%)
	@$(FUZZ); $(foreach name,$(FUZZ_FXT),fuzz $(name) 1024;)

fuzz: ## Fuzz config, settings, texts and validate, SECONDS=60 each
	$(FUZZ_BUILD) $(FUZZ_TEXT:%=build/fuzz/%) build/fuzz/validate
	@$(FUZZ); $(foreach name,$(FUZZ_TEXT),fuzz $(name) 4096;) \
	fuzz validate 1024

$(patsubst %,$(B)/%,$(FUZZ_FXT) $(FUZZ_TEXT) validate): $(B)/%: $(B)/t/fuzz/%.o $(B)/convert.a $(B)/validate.a \
		$(B)/ref.a
	$(Q)$(CXX) $(LDFLAGS_ALL) -fsanitize=fuzzer -o $@ $^ $(LIB_LIBS) \
		$(VALIDATE_LIBS)

$(B)/t/fuzz/%.o: CPPFLAGS_ALL += -I$(B)/gen
$(FUZZ_FXT:%=$(B)/t/fuzz/%.o): | $(B)/gen/schema_tables.h

COUNT ?= 20000
fuzz-gitconfig: ## Compare COUNT (20000) config entries with git's reader
	$(SUBMAKE) all
	@t/fuzz/gitconfig.py $(TOOLS)/test-tool $(COUNT) $(SEED)

fuzz-manager: ## Fuzz the trace manager's packets and buffers, SECONDS=60
	$(FUZZ_BUILD) build/fuzz/manager
	@$(FUZZ); fuzz manager 256

# What world.c does in the system's place.
WRAPPED := close fcntl ftruncate getsockopt memfd_create mmap munmap poll \
	posix_fallocate recv recvmsg send sendmsg socketpair

$(B)/manager: $(B)/t/fuzz/manager.o $(B)/t/fuzz/world.o $(B)/manager.a \
		$(B)/ref.a
	$(Q)$(CXX) $(LDFLAGS_ALL) -fsanitize=fuzzer -o $@ $^ $(LIB_LIBS) \
		$(WRAPPED:%=-Wl,--wrap=%)

$(B)/t/fuzz/manager.o: CPPFLAGS_ALL += -It
# What it compares is nothing to learn from.
$(B)/t/fuzz/world.o: override OPT := -O2 -g

.PHONY: check-fuzz fuzz fuzz-gitconfig fuzz-fxt fuzz-manager
