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

# One page on all implementations of t/kit/matrix.tsv; RESUME=1 goes on where a
# run was ended. What can't be run, for
# example without a network, is on the page with its reason.
matrix: ## Join the kit's reports on many implementations into one page
	$(SUBMAKE) all
	@$(CC) -DCONTRACT='"$(CURDIR)/t/kit/contract.tsv"' -o $(B)/matrix-driver \
		t/kit/drivers/*.c -Iref -L$(B) -ltrace2 -pthread \
		-Wl,-rpath,$(call ABSOLUTE,$(B))
	@$(if $(OFFLINE),,for v in node22 node24; do \
		helper/reader.sh $$v $(B)/$$v || true; done)
	@PYTHONDONTWRITEBYTECODE= t/kit/matrix $(if $(OFFLINE),--offline) \
		$(if $(RESUME),--resume) \
		$(call ABSOLUTE,$(B)/matrix)

.PHONY: matrix
