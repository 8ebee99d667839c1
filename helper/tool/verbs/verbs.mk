# The verbs are the rows of the kit's table; what reads it is the example
# driver's.
CONTRACT_H := $(B)/gen/contract.h
PLACED_H := $(B)/gen/placed/trace2.h
DRIVER_OBJ := $(patsubst %,$(B)/t/kit/drivers/%.o,blocks calls children host names objects trace values)
TOOL_OBJ += $(DRIVER_OBJ)

$(CONTRACT_H): helper/tool/verbs/gen_contract.py t/kit/contract.tsv \
		helper/tool/verbs/places.tsv helper/rules/gen_rules.py
	@mkdir -p $(@D)
	@$(SAY) GEN $@
	$(Q)$(PYTHON) -B $(wordlist 1,3,$^) $@

$(PLACED_H): ref/trace2.h helper/tool/verbs/verbs.mk
	@mkdir -p $(@D)
	@$(SAY) GEN $@
	$(Q){ echo '#include "tool/verbs/place.h"'; \
		sed -e 's/__FILE__, __LINE__/PLACE/' \
			-e 's/(__builtin_expect/(fake_tick(), __builtin_expect/' $<; } >$@

$(DRIVER_OBJ): $(PLACED_H)
$(DRIVER_OBJ): CPPFLAGS_ALL := -I$(B)/gen/placed $(CPPFLAGS_ALL)
$(B)/helper/tool/verbs/cmd_trace2.o: $(CONTRACT_H)
$(B)/helper/tool/verbs/cmd_trace2.o: CPPFLAGS_ALL += -I$(B)/gen
$(B)/helper/tool/verbs/%.o $(B)/helper/test-tool.o: CPPFLAGS_ALL += -It/kit
