# Other programs' own tests, with a preloaded library that traces them
# (t/library/hosts/real_hosts.py).

SHIM := $(B)/hosts/shim.so

$(B)/t/library/hosts/shim.o: PIE := -fPIC

$(SHIM): $(B)/t/library/hosts/shim.o $(STATIC)
	@mkdir -p $(@D)
	@$(SAY) LINK $@
	$(Q)$(CC) $(LDFLAGS_ALL) -shared -o $@ $^ $(LIB_LIBS)

-include $(B)/t/library/hosts/shim.d

check-hosts: ## Python's and GLib's own tests, traced and untraced
	$(SUBMAKE) $(SHIM) $(TOOLS)/trace2
	@export $(TEST_ENV); $(PYTHON) -m pytest t/library/hosts/real_hosts.py -rs

.PHONY: check-hosts
