# Traceability: SPEC.md, t/documents/req/requirements.lock, and what proves each
# requirement. See t/documents/requirements.

check-req: ## Trace the requirements; build/requirements.html
	@$(PYTHON) t/documents/requirements report $(B)
	@$(PYTHON) t/documents/requirements check

req-bless: ## Accept new, changed and retired requirements
	@$(PYTHON) t/documents/requirements bless

rules: ## Rewrite what is made from SPEC.md: lists, schemas, rules
	@$(PYTHON) t/documents/requirements rules

.PHONY: check-req req-bless rules
