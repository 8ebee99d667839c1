# libtrace2-functions: what the compiler calls with -finstrument-functions. It
# is apart, because programs must not pay for it that do not ask for it.

FUNCTIONS := $(B)/libtrace2-functions
FUNCTIONS_OBJ := $(B)/ref/trace/functions/functions.o
FUNCTIONS_LIBS := $(FUNCTIONS).a $(FUNCTIONS).so.$(VERSION)

$(FUNCTIONS_OBJ): PIE := -fPIC
$(FUNCTIONS_OBJ): | needs

$(FUNCTIONS).a: $(FUNCTIONS_OBJ)
	@$(SAY) AR $@
	@rm -f $@
	$(Q)$(AR) qcs $@ $^

$(FUNCTIONS).so.$(VERSION): $(FUNCTIONS_OBJ) $(B)/libtrace2.so
	@$(SAY) LINK $@
	$(Q)$(CC) $(LDFLAGS_ALL) -shared -fvisibility=hidden \
		-Wl,-soname,libtrace2-functions.so.$(SOVERSION) \
		-Wl,-z,relro,-z,now,-z,nodelete -o $@ $< -L$(B) -ltrace2
	@ln -sf $(@F) $(FUNCTIONS).so.$(SOVERSION)
	@ln -sf $(@F) $(FUNCTIONS).so
