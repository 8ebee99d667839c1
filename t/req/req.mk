# Traceability: SPEC.md, t/req/requirements.lock, and what proves each
# requirement. See t/requirements.

check-req: ## Trace the requirements; build/requirements.html
	@$(PYTHON) t/requirements report $(B)
	@$(PYTHON) t/requirements check

req-bless: ## Accept new, changed and retired requirements
	@$(PYTHON) t/requirements bless

rules: ## Rewrite what is made from SPEC.md: lists, schemas, rules
	@$(PYTHON) t/requirements rules

.PHONY: check-req req-bless rules
