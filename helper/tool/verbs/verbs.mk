# The verbs are the rows of the kit's table; what reads it is the example
# driver's.
CONTRACT_H := $(B)/gen/contract.h
TOOL_OBJ += $(patsubst %,$(B)/t/kit/drivers/%.o,blocks calls children host objects trace values)

$(CONTRACT_H): helper/tool/verbs/gen_contract.py t/kit/contract.tsv \
		helper/tool/verbs/places.tsv helper/rules/gen_rules.py
	@mkdir -p $(@D)
	@$(SAY) GEN $@
	$(Q)$(PYTHON) -B $(wordlist 1,3,$^) $@

$(B)/helper/tool/verbs/cmd_trace2.o: $(CONTRACT_H)
$(B)/helper/tool/verbs/cmd_trace2.o: CPPFLAGS_ALL += -I$(B)/gen
$(B)/helper/tool/verbs/%.o $(B)/helper/test-tool.o: CPPFLAGS_ALL += -It/kit
