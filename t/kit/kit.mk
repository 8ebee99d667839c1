# The conformance kit: what t/conformance takes, as variables.
#
#	make conformance DRIVER=PATH ONLY=GLOB CLASS=min KNOWN=NAME REPORT=DIR

DRIVER ?= $(TOOLS)/test-tool
CONFORMANCE = $(PYTHON) t/conformance --driver '$(DRIVER)' \
	$(if $(ONLY),--only '$(ONLY)') $(if $(CLASS),--class '$(CLASS)') \
	$(if $(KNOWN),--known '$(KNOWN)') $(if $(REPORT), \
		--junit '$(REPORT)/junit.xml' --json '$(REPORT)/report.json' \
		--html '$(REPORT)/report.html')

conformance: ## Run the kit on DRIVER=PATH (ours without; see t/README.md)
ifeq ($(DRIVER),$(TOOLS)/test-tool)
	$(SUBMAKE) $(DRIVER)
endif
	@$(if $(REPORT),mkdir -p '$(REPORT)')
	@PYTHONDONTWRITEBYTECODE= $(CONFORMANCE)

.PHONY: conformance
