# Mutation testing; t/mutation/run says how it works.
#
#	make mutation FILES='ref/tr2_perf.c ref/tr2_json.c' BUDGET=60
#
# BUDGET are the seconds of tests that one mutant may take.

MUTATION = helper/deps.sh missing mutation && nice $(PYTHON) t/mutation/run --jobs $(JOBS) \
	$(if $(BUDGET),--budget $(BUDGET))

mutation: ## Break each line: the tests notice (FILES=, BUDGET=)
	@$(MUTATION) $(FILES)

check-mutation: ## A fixed sample of mutants is still noticed
	@$(MUTATION) --sample

.PHONY: mutation check-mutation
