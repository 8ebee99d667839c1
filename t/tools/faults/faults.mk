# Faults: calls of the host that fail (sweep.c), and edits of the reference
# that the conformance kit has to catch (seeds.py).

SWEEP := $(B)/faults/sweep
SWEEP_OBJ := $(B)/t/tools/faults/sweep.o $(B)/t/tools/faults/sweep_judge.o \
	$(B)/t/tools/faults/test-tool.o

# test-tool as a function.
$(B)/t/tools/faults/test-tool.o: helper/test-tool.c $(RULES_AND_FLAGS)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fPIE -Dmain=test_tool_main \
		-Wno-missing-prototypes -c -o $@ $<

$(B)/t/tools/faults/test-tool.o: CPPFLAGS_ALL += -It/kit

$(SWEEP): $(SWEEP_OBJ) $(filter-out %/test-tool.o,$(TOOL_OBJ)) $(B)/ref.a
	@mkdir -p $(@D)
	@$(SAY) LINK $@
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LIB_LIBS)

-include $(SWEEP_OBJ:.o=.d)

check-host: ## Let each call of the host fail, in every golden case
	$(SUBMAKE) all $(SWEEP)
	@export $(TEST_ENV); $(PYTHON) -m pytest t/tools/faults/host_faults_swept.py \
		-n $(JOBS)

check-faults: ## Seed faults into the reference: the kit catches each
	$(SUBMAKE) all
	@export $(TEST_ENV); $(PYTHON) -m pytest t/tools/faults/seeded_faults_caught.py \
		-n $(JOBS)

.PHONY: check-host check-faults
