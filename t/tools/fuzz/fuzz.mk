# Fuzzing by libFuzzer. `make fuzz-fxt SECONDS=60` runs each target for that
# long, RUNS=1000000 that often; it begins with the corpora of the suite, and
# what it finds stays in build/fuzz/. `make check` does it for seconds.

SECONDS ?= 60
FUZZ_LIMIT = $(if $(RUNS),-runs=$(RUNS),-max_total_time=$(SECONDS))
FUZZ_FXT := fxt_reader fxt_convert
FUZZ_TEXT := config redact settings texts validate
FUZZ_SRC := $(wildcard t/tools/fuzz/*.c)
FUZZ_OPT := -O2 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all

check-fuzz: ## Fuzz for a moment
	@if echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' | \
		clang -fsanitize=fuzzer -x c -o /dev/null - 2>/dev/null; then \
		$(MAKE) -s --no-print-directory fuzz-fxt fuzz-manager fuzz \
			SECONDS=20; \
	else \
		echo 'SKIP fuzz: no libFuzzer (libclang-rt-14-dev)'; \
	fi
	@$(MAKE) -s --no-print-directory fuzz-gitconfig

# Objects that count what they reach, in a build of their own. What they compare
# is not watched: that costs a third of the time, and the seeds have the words.
FUZZ_BUILD = $(SUBMAKE) B=build/fuzz CC=clang CXX=clang++ \
	OPT='$(FUZZ_OPT) -fsanitize=fuzzer-no-link \
		-fno-sanitize-coverage=trace-cmp'

# As many at a time as there are processors: $(call FUZZ,NAME...)
FUZZ = @$(MAKE) -s --no-print-directory -j$(JOBS) $(1:%=fuzzed-%)

fuzzed-%:
	@PYTHON=$(PYTHON) t/tools/fuzz/run.sh $* $(FUZZ_LIMIT)

fuzz-fxt: ## Fuzz the reader of archives and convert: SECONDS=60 or RUNS=
	$(FUZZ_BUILD) $(FUZZ_FXT:%=build/fuzz/%)
	$(call FUZZ,$(FUZZ_FXT))

fuzz: ## Fuzz what reads texts: SECONDS=60 or RUNS=
	$(FUZZ_BUILD) $(FUZZ_TEXT:%=build/fuzz/%)
	$(call FUZZ,$(FUZZ_TEXT))

$(patsubst %,$(B)/%,$(FUZZ_FXT) $(FUZZ_TEXT)): $(B)/%: $(B)/t/tools/fuzz/%.o $(B)/convert.a $(B)/validate.a \
		$(B)/ref.a
	$(Q)$(CXX) $(LDFLAGS_ALL) -fsanitize=fuzzer -o $@ $^ $(LIB_LIBS) \
		$(VALIDATE_LIBS)

$(B)/t/tools/fuzz/%.o: CPPFLAGS_ALL += -I$(B)/gen
$(patsubst %,$(B)/t/tools/fuzz/%.o,$(FUZZ_FXT) $(FUZZ_TEXT)): | $(B)/gen/schema_tables.h

COUNT ?= 20000
fuzz-gitconfig: ## Compare COUNT (20000) config entries with git's reader
	$(SUBMAKE) all
	@t/tools/fuzz/gitconfig.py $(TOOLS)/test-tool $(COUNT) $(SEED)

fuzz-manager: ## Fuzz the manager's packets and buffers: SECONDS=60 or RUNS=
	$(FUZZ_BUILD) build/fuzz/manager
	$(call FUZZ,manager)

# What world.c does in the system's place.
WRAPPED := close fcntl ftruncate getsockopt memfd_create mmap munmap poll \
	posix_fallocate recv recvmsg send sendmsg socketpair

$(B)/manager: $(B)/t/tools/fuzz/manager.o $(B)/t/tools/fuzz/world.o $(B)/manager.a \
		$(B)/validate.a $(B)/ref.a
	$(Q)$(CXX) $(LDFLAGS_ALL) -fsanitize=fuzzer -o $@ $^ $(LIB_LIBS) \
		$(WRAPPED:%=-Wl,--wrap=%)

$(B)/t/tools/fuzz/manager.o: CPPFLAGS_ALL += -It/unit
# What it compares is nothing to learn from.
$(B)/t/tools/fuzz/world.o: override OPT := -O2 -g

.PHONY: check-fuzz fuzz fuzz-gitconfig fuzz-fxt fuzz-manager

-include $(wildcard $(B)/t/tools/fuzz/*.d)
