# Bundles: a root of schema/ and all that it needs in one file, for other
# tools. build/schema/evt4.bundle.json, build/schema/evt2.closed.bundle.json

SCHEMAS := $(wildcard schema/*.schema.json schema/events/*.schema.json)

$(B)/schema/%.bundle.json: schema/%.schema.json schema/bundle.py $(SCHEMAS)
	@mkdir -p $(@D)
	@$(SAY) JSON $@
	$(Q)$(PYTHON) schema/bundle.py $< >$@.$$$$ && mv $@.$$$$ $@

ALL += $(B)/schema/evt4.bundle.json
