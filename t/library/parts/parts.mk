# The matrix of parts (t/library/parts/test_parts.py): a program that uses those that
# it is told, and the library as a plugin that can be unloaded.

PARTS := $(B)/parts/parts $(B)/parts/plugin.so
PARTS_OBJ := $(B)/t/library/parts/parts.o $(B)/t/library/parts/parts_table.o

$(B)/parts/parts: $(PARTS_OBJ) $(B)/ref.a
	@mkdir -p $(@D)
	@$(SAY) LINK $@
	$(Q)$(CC) $(LDFLAGS_ALL) -Wl,-u,tr2_outside_begin -o $@ $^ $(LIB_LIBS)

$(B)/parts/plugin.so: $(STATIC)
	@mkdir -p $(@D)
	@$(SAY) LINK $@
	$(Q)$(CC) $(LDFLAGS_ALL) -shared -o $@ -Wl,--whole-archive $< \
		-Wl,--no-whole-archive $(LIB_LIBS)

-include $(PARTS_OBJ:.o=.d)
