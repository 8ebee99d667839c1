# The npm package, and the page that works offline: both around the module.

NPM := $(B)/npm
NPM_FILES := $(wildcard helper/npm/bin/* helper/npm/lib/*)
PAGE_FILES := $(wildcard helper/npm/page/*)

npm: $(B)/trace2-$(VERSION).tgz ## Pack the npm package, build/trace2-VERSION.tgz

# What is packed is not run when it is packed, so npm asks for no network.
$(B)/trace2-$(VERSION).tgz: $(B)/wasm/trace2.wasm helper/npm/package.json \
		helper/npm/README.md $(NPM_FILES) LICENSE
	@$(SAY) PACK $@
	@rm -rf $(NPM); mkdir -p $(NPM)
	@cp -R helper/npm/bin helper/npm/lib helper/npm/README.md LICENSE $< $(NPM)
	@sed 's/"version": "[^"]*"/"version": "$(VERSION)"/' \
		helper/npm/package.json >$(NPM)/package.json
	$(Q)npm pack --silent --offline --pack-destination $(B) ./$(NPM) >/dev/null

desk: $(B)/trace2.html ## Build build/trace2.html, a page for logs that works offline

$(B)/trace2.html: $(B)/wasm/trace2.wasm $(PAGE_FILES) $(NPM_FILES)
	@$(SAY) GEN $@
	$(Q)$(PYTHON) helper/npm/page/embed.py helper/npm/page helper/npm/lib $< $@

# A build first, since a test of what is not there is skipped.
check-wasm: deps-wasm ## The module, the npm package and the page, as others use them
	$(SUBMAKE) npm desk chromium $(WASM)/tokens.wasm
	@$(PYTHON) -m pytest -q t/packages/wasm

check-node: deps-wasm ## The npm package in the oldest and the newest Node
	$(SUBMAKE) npm
	@$(PYTHON) -B t/packages/wasm/versions.py $(B)/trace2-$(VERSION).tgz

check-wasm-page: deps-wasm ## Each story once more, in the page in Chromium
	$(SUBMAKE) desk chromium
	@$(PYTHON) -B t/packages/wasm/elsewhere.py browser

.PHONY: npm desk check-wasm check-wasm-page check-node
