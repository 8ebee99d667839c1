# Measurements: ratios of one run, never tests.

PERF := $(B)/perf/bench-static $(B)/perf/bench-shared $(B)/perf/bench-count \
	$(B)/perf/bench-trace $(B)/perf/hello $(B)/perf/traced \
	$(B)/perf/trace2

.PHONY: bench

bench: $(PERF) ## Measure cost and speed; LARGE=1 also with a log of 1 GB
	$(SUBMAKE) simdjson
	$(SUBMAKE) release
	$(Q)$(PYTHON) t/tools/perf/bench.py --build $(B) --trace2 $(TOOLS)/trace2 \
		$(if $(LARGE),--large)
	$(Q)$(PYTHON) t/tools/perf/convert_shapes.py $(TOOLS)/trace2 || :
	$(Q)$(PYTHON) t/tools/perf/summary_shapes.py $(TOOLS)/trace2 || :
	$(Q)$(PYTHON) t/tools/perf/normal_shapes.py $(TOOLS)/trace2 || :
	$(Q)$(PYTHON) t/tools/perf/perf_logs.py $(TOOLS)/trace2 || :
	$(Q)$(PYTHON) t/tools/perf/memory_shapes.py $(TOOLS)/trace2 || :
	$(Q)$(PYTHON) t/tools/perf/wasm_shapes.py $(B) $(TOOLS)/trace2 || :

$(B)/perf/bench-static: t/tools/perf/bench.c $(STATIC)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) -std=c11 -D_POSIX_C_SOURCE=200809L -O2 \
		-o $@ $< $(STATIC) $(LIB_LIBS) -pthread

$(B)/perf/bench-shared: t/tools/perf/bench.c $(SHARED)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) -std=c11 -D_POSIX_C_SOURCE=200809L -O2 \
		-o $@ $< -L$(B) -ltrace2 -Wl,-rpath,'$$ORIGIN/..'

$(B)/perf/bench-count: t/tools/perf/count.c $(REF_OBJ)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) -std=c11 -D_POSIX_C_SOURCE=200809L -O2 \
		-o $@ $< $(REF_OBJ) $(LIB_LIBS) -pthread

$(B)/perf/bench-trace: t/tools/perf/bench_trace.c $(B)/ref.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) -std=c11 -D_POSIX_C_SOURCE=200809L -O2 \
		-o $@ $< $(B)/ref.a $(LIB_LIBS) -pthread

$(B)/perf/hello: t/tools/perf/hello.c $(STATIC)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) -std=c11 -O2 -o $@ $< $(STATIC) \
		$(LIB_LIBS) -pthread

$(B)/perf/traced: t/library/traced/traced.c $(STATIC)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) -std=c11 -O2 -o $@ $< $(STATIC) \
		$(LIB_LIBS) -pthread

# LTTng-UST lives in Debian: used here only.
bench-lttng: all ## Measure a trace point beside LTTng-UST's
	@helper/deps.sh missing lttng || { echo 'SKIP bench-lttng: no LTTng'; exit 0; }; \
	$(MAKE) -s --no-print-directory $(B)/perf/bench-lttng && \
	t/tools/perf/lttng.sh $(B)/perf/bench-lttng

$(B)/perf/bench-lttng: t/tools/perf/bench_lttng.c $(B)/ref.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) -It/tools -std=c11 -D_POSIX_C_SOURCE=200809L -O2 \
		-o $@ $< $(B)/ref.a -llttng-ust -ldl $(LIB_LIBS) -pthread

.PHONY: bench-lttng

# What tracing costs beside other systems. Those that are missing are rows
# that say SKIP.
TRACING := $(B)/perf/bench-tracing $(B)/perf/bench-tracing-uftrace

bench-tracing: all $(TRACING) ## Measure tracing beside LTTng, uftrace, Node, Blink
	@! helper/deps.sh missing lttng >/dev/null 2>&1 || \
		$(MAKE) -s --no-print-directory $(B)/perf/bench-tracing-lttng
	$(Q)$(PYTHON) t/tools/perf/tracing.py --build $(B)

TRACING_FLAGS = $(CPPFLAGS_ALL) -It/tools -std=c11 -D_POSIX_C_SOURCE=200809L -O2

$(B)/perf/bench-tracing: t/tools/perf/bench_tracing.c $(B)/ref.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(TRACING_FLAGS) -o $@ $< $(B)/ref.a $(LIB_LIBS) -pthread

$(B)/perf/bench-tracing-uftrace: t/tools/perf/bench_tracing.c $(B)/ref.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(TRACING_FLAGS) -pg -no-pie -o $@ $< $(B)/ref.a \
		$(LIB_LIBS) -pthread

$(B)/perf/bench-tracing-lttng: t/tools/perf/bench_tracing.c $(B)/ref.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(TRACING_FLAGS) -DBENCH_LTTNG -o $@ $< $(B)/ref.a \
		-llttng-ust -ldl $(LIB_LIBS) -pthread

deps-tracing: ## Install what `make bench-tracing` compares with
	@helper/deps.sh lttng
	@helper/deps.sh tracing

chromium: ## Fetch Chromium by npm, for bench-tracing
	@helper/reader.sh chromium build/chromium

.PHONY: bench-tracing deps-tracing chromium
