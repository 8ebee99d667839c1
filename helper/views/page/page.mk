# The page of `trace2 report`, as C.

PAGE := $(B)/gen/page

CONVERT_OBJ += $(PAGE).o

$(PAGE).c: helper/views/page/embed.py $(wildcard helper/views/page/page.[a-z]*) \
	$(wildcard helper/views/page/script/*.js)
	@mkdir -p $(@D)
	@$(SAY) GEN $@
	$(Q)$(PYTHON) helper/views/page/embed.py helper/views/page $@

$(PAGE).o: $(PAGE).c $(RULES_AND_FLAGS)
	@$(SAY) CC $@
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fPIE -c -o $@ $<

.PHONY: picture
picture: $(TOOLS)/trace2 ## Renew the tour's picture of a page (after make chromium)
	@$(SAY) SHOT helper/views/page/report.png
	$(Q)$(PYTHON) t/commands/summary/page_picture.py $< \
		t/corpus/pass/real/evt4-git2.55/clone.event helper/views/page/report.png
