# The validator's tables, generated from schema/.

TABLES := $(B)/gen/schema_tables

VALIDATE_OBJ += $(TABLES).o

$(TABLES).c $(TABLES).h &: helper/validate/gen_tables.py \
		helper/validate/match.h $(wildcard schema/*.json \
		schema/events/*.json)
	@mkdir -p $(@D)
	@$(SAY) GEN $(TABLES).c
	$(Q)$(PYTHON) helper/validate/gen_tables.py schema \
		helper/validate/match.h $(TABLES).h $(TABLES).c

$(TABLES).o: $(TABLES).c $(RULES_AND_FLAGS)
	@$(SAY) CC $@
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fPIE -c -o $@ $<

$(VALIDATE_OBJ) $(CONVERT_OBJ) $(TRACE2_OBJ) $(UNIT_OBJ): CPPFLAGS_ALL += \
	-I$(B)/gen -DTRACE2_VERSION='"$(VERSION)"'
$(VALIDATE_OBJ) $(CONVERT_OBJ) $(UNIT_OBJ): | $(TABLES).h

# The two that see every byte of every line. A value's few words are stored
# faster one by one than gathered in a vector.
$(B)/helper/validate/record.o $(B)/helper/validate/parse.o: OPT := -O3 -g -fno-tree-slp-vectorize

# What --list-rules and --explain know.

RULES := $(B)/gen/rules_table

VALIDATE_OBJ += $(RULES).o

$(RULES).c: helper/validate/gen_rules.py helper/validate/gen_tables.py SPEC.md \
		t/spec.py $(wildcard helper/validate/*.c ref/trace/*.c \
		schema/*.schema.json \
		schema/events/*.json helper/validate/explain/* \
		t/corpus/fail/*/* t/corpus/pass/text/* t/corpus/pass/fxt/* \
		t/corpus/consumer/*/*)
	@mkdir -p $(@D)
	@$(SAY) GEN $@
	$(Q)$(PYTHON) -B helper/validate/gen_rules.py . $@

$(RULES).o: $(RULES).c $(RULES_AND_FLAGS)
	@$(SAY) CC $@
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fPIE -c -o $@ $<
