# Fuzzing by libFuzzer. `make fuzz-fxt SECONDS=60` runs each target for that
# long; it begins with the corpora of the suite, and what it finds stays in
# build/fuzz/. `make check` does it for seconds.

SECONDS ?= 60
FUZZ_FXT := fxt_reader fxt_convert
# Of a buffer that is empty yet, NULL + 0 is no news.
FUZZ_OPT := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-sanitize=pointer-overflow

check-fuzz: ## Fuzz for a moment
	@if echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' | \
		clang -fsanitize=fuzzer -x c -o /dev/null - 2>/dev/null; then \
		$(MAKE) -s --no-print-directory fuzz-fxt SECONDS=5; \
	else \
		echo 'SKIP fuzz-fxt: no libFuzzer (libclang-rt-14-dev)'; \
	fi

# Objects that count what they reach, in a build of their own.
fuzz-fxt: ## Fuzz the reader of archives and convert, SECONDS=60 each
	$(SUBMAKE) B=build/fuzz CC=clang CXX=clang++ \
		OPT='$(FUZZ_OPT) -fsanitize=fuzzer-no-link' \
		$(FUZZ_FXT:%=build/fuzz/%)
	@for name in $(FUZZ_FXT); do \
		mkdir -p build/fuzz/corpus/$$name; \
		$(PYTHON) t/fuzz/seeds.py $$name build/fuzz/corpus/$$name; \
		echo "fuzz: $$name"; \
		build/fuzz/$$name -max_total_time=$(SECONDS) -max_len=8192 \
			-timeout=10 -rss_limit_mb=2048 -verbosity=0 \
			-print_final_stats=1 -close_fd_mask=1 \
			-artifact_prefix=build/fuzz/$$name- \
			build/fuzz/corpus/$$name || exit 1; \
	done

$(FUZZ_FXT:%=$(B)/%): $(B)/%: $(B)/t/fuzz/%.o $(B)/convert.a $(B)/validate.a \
		$(B)/ref.a
	$(Q)$(CXX) $(LDFLAGS_ALL) -fsanitize=fuzzer -o $@ $^ $(LIB_LIBS) \
		$(VALIDATE_LIBS)

$(B)/t/fuzz/%.o: CPPFLAGS_ALL += -I$(B)/gen
$(FUZZ_FXT:%=$(B)/t/fuzz/%.o): | $(B)/gen/schema_tables.h

fuzz-manager: ## Fuzz the trace manager's packets and buffers, SECONDS=60
	$(SUBMAKE) B=build/fuzz CC=clang CXX=clang++ \
		OPT='$(FUZZ_OPT) -fsanitize=fuzzer-no-link' build/fuzz/manager
	@mkdir -p build/fuzz/corpus/manager
	@build/fuzz/manager -max_total_time=$(SECONDS) -max_len=512 \
		-timeout=10 -rss_limit_mb=2048 -verbosity=0 \
		-print_final_stats=1 -artifact_prefix=build/fuzz/manager- \
		build/fuzz/corpus/manager

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

.PHONY: check-fuzz fuzz-fxt fuzz-manager
