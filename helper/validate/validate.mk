# The validator's tables, generated from schema/.

TABLES := $(B)/gen/schema_tables

VALIDATE_OBJ += $(TABLES).o

$(TABLES).c $(TABLES).h &: helper/rules/gen_tables.py \
		helper/read/json/match.h $(wildcard schema/*.json \
		schema/events/*.json)
	@mkdir -p $(@D)
	@$(SAY) GEN $(TABLES).c
	$(Q)$(PYTHON) helper/rules/gen_tables.py schema \
		helper/read/json/match.h $(TABLES).h $(TABLES).c

# The programs that read logs, from schema/readers/.
READERS := $(B)/gen/readers

VALIDATE_OBJ += $(READERS).o

$(READERS).c $(READERS).h &: helper/rules/consumer/gen_readers.py \
		$(wildcard schema/readers/*.json)
	@mkdir -p $(@D)
	@$(SAY) GEN $(READERS).c
	$(Q)$(PYTHON) helper/rules/consumer/gen_readers.py schema/readers $(@D)

# The tables of known deviations, of what git does in its regions and which phase
# of its work they are, of what payloads look like, of columns, and of secrets.
ROWS_TSV := helper/rules/known.tsv \
	$(wildcard helper/model/*/*.tsv helper/views/*/*.tsv \
		helper/rules/textlog/*.tsv helper/redact/tables/*.tsv \
		helper/read/text/*.tsv)
ROWS := $(patsubst %,$(B)/gen/%_rows.h,$(basename $(notdir $(ROWS_TSV))))

$(foreach tsv,$(ROWS_TSV),$(eval $(B)/gen/$(basename $(notdir $(tsv)))_rows.h: \
	$(tsv)))
$(ROWS): helper/rules/gen_rows.py helper/rules/gen_rules.py
	@mkdir -p $(@D)
	@$(SAY) GEN $@
	$(Q)$(PYTHON) -B $< $(filter %.tsv,$^) $@

# The texts of --help.
USAGE_TEXTS := $(wildcard helper/*/*.usage helper/*/*/*.usage)
USAGES := $(patsubst %,$(B)/gen/%_usage.h,$(basename $(notdir $(USAGE_TEXTS))))

$(foreach text,$(USAGE_TEXTS),$(eval \
	$(B)/gen/$(basename $(notdir $(text)))_usage.h: $(text)))
$(USAGES): helper/cli/gen_usage.py helper/rules/gen_rules.py
	@mkdir -p $(@D)
	@$(SAY) GEN $@
	$(Q)$(PYTHON) -B $< $(filter %.usage,$^) $@

# The rules of advice, beside them.
ROWS += $(B)/gen/advice_rules.h
$(B)/gen/advice_rules.h: helper/model/advice/gen_advice.py \
		helper/model/advice/rules.ini helper/model/words/choices.tsv
	@mkdir -p $(@D)
	@$(SAY) GEN $@
	$(Q)$(PYTHON) -B $^ $@

$(READERS).o: $(READERS).c $(RULES_AND_FLAGS)
	@$(SAY) CC $@
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fPIE -c -o $@ $<

$(TABLES).o: $(TABLES).c $(RULES_AND_FLAGS)
	@$(SAY) CC $@
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fPIE -c -o $@ $<

$(VALIDATE_OBJ) $(CONVERT_OBJ) $(MANAGER_OBJ) $(TRACE2_OBJ) $(UNIT_OBJ): \
	CPPFLAGS_ALL += -I$(B)/gen -DTRACE2_VERSION='"$(VERSION)"'
$(VALIDATE_OBJ) $(CONVERT_OBJ) $(UNIT_OBJ): | $(TABLES).h $(READERS).h $(ROWS)
$(VALIDATE_OBJ) $(CONVERT_OBJ) $(MANAGER_OBJ) $(UNIT_OBJ): | $(USAGES)

# Is the simdjson that is here one of those in the Makefile?
SIMDJSON_KNOWN := $(B)/gen/simdjson_known.h

$(SIMDJSON_KNOWN): $(RULES_AND_FLAGS)
	@mkdir -p $(@D)
	@version=$$(echo '#include <simdjson.h>' | \
		$(CXX) $(CPPFLAGS) -std=c++17 -E -x c++ - 2>/dev/null | sed -n \
		's/^ *SIMDJSON_VERSION_[A-Z]* = \([0-9]*\),*/\1/p' | paste -sd .); \
	known=0; \
	case " $(strip $(SIMDJSON)) " in \
	"  ") ;; \
	*" $$version "*) known=1 ;; \
	*) echo "simdjson $$version is new here ($(SIMDJSON) are known):" \
		'JSON is read at a lower speed' ;; \
	esac; \
	echo "#define TR2_SIMDJSON_KNOWN $$known" >$@

$(B)/helper/read/json/tokens.o: | $(SIMDJSON_KNOWN)

# Those that see every value of every line. A value's few words are stored
# faster one by one than gathered in a vector.
$(B)/helper/rules/record.o $(B)/helper/read/json/parse.o: OPT := -O3 -g -fno-tree-slp-vectorize

# What --list-rules and --explain know.

RULES := $(B)/gen/rules_table

VALIDATE_OBJ += $(RULES).o

$(RULES).c: helper/rules/gen_rules.py helper/rules/gen_tables.py \
		$(wildcard schema/*.json schema/events/*.json)
	@mkdir -p $(@D)
	@$(SAY) GEN $@
	$(Q)$(PYTHON) -B helper/rules/gen_rules.py schema $@

$(RULES).o: $(RULES).c $(RULES_AND_FLAGS)
	@$(SAY) CC $@
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fPIE -c -o $@ $<
