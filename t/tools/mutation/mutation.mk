# Mutation testing; t/tools/mutation/run says how it works.
#
#	make mutation FILES='ref/event/perf.c ref/base/json.c' BUDGET=60
#	make mutation DRAW=1000
#
# BUDGET are the seconds of tests that one mutant may take. DRAW judges so many
# mutants, drawn by lot, and estimates the share of all that is noticed.

MUTATION = helper/deps.sh missing mutation && nice $(PYTHON) t/tools/mutation/run --jobs $(JOBS) \
	$(if $(BUDGET),--budget $(BUDGET)) $(if $(DRAW),--draw $(DRAW))

mutation: ## Break each line: the tests notice (FILES=, DRAW=, BUDGET=)
	@$(MUTATION) $(FILES)

check-mutation: ## A fixed sample of mutants is still noticed
	@$(MUTATION) --sample

.PHONY: mutation check-mutation
