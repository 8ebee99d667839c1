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

$(B)/helper/validate/tokens.o: | $(SIMDJSON_KNOWN)

# The two that see every byte of every line. A value's few words are stored
# faster one by one than gathered in a vector.
$(B)/helper/validate/record.o $(B)/helper/validate/parse.o: OPT := -O3 -g -fno-tree-slp-vectorize

# What --list-rules and --explain know.

RULES := $(B)/gen/rules_table

VALIDATE_OBJ += $(RULES).o

$(RULES).c: helper/validate/gen_rules.py helper/validate/gen_tables.py \
		$(wildcard schema/*.json schema/events/*.json)
	@mkdir -p $(@D)
	@$(SAY) GEN $@
	$(Q)$(PYTHON) -B helper/validate/gen_rules.py schema $@

$(RULES).o: $(RULES).c $(RULES_AND_FLAGS)
	@$(SAY) CC $@
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fPIE -c -o $@ $<
