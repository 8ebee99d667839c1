# What the commands make of logs (t/stories/).
#
#	make bless			rewrite all outputs
#	make bless STORY=NAME		those of one story
#	make bless STORY=NAME OUTPUT='summary.txt trace.json'	with these, too

STORIES = TRACE2=$(call ABSOLUTE,$(TOOLS)/trace2) $(PYTHON) -B t/stories

bless: ## Rewrite what t/stories keeps (STORY=NAME, OUTPUT=FILE)
	$(SUBMAKE) $(TOOLS)/trace2
	@$(STORIES)/stories.py bless $(STORY) $(OUTPUT:%=$(STORY)/%)

check-stories: ## Compare what the commands make of logs with t/stories
	$(SUBMAKE) $(TOOLS)/trace2
	@$(STORIES)/stories.py check $(STORY)

disagree: ## Print where the views of a log differ from each other
	$(SUBMAKE) $(TOOLS)/trace2
	@$(STORIES)/disagree.py $(STORY)

.PHONY: bless check-stories disagree
