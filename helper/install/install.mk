# What `make install` puts where. trace2 finds the specification by its own
# place, in ../share/doc/trace2/.

# Of ref/trace/, what programs may include.
TRACE_HEADERS := agent.h buffer.h engine.h event.h event_args.h event_cpp.h \
	event_internal.h fxt_numbers.h loop.h reader.h tracing.h
# What Fuchsia's programs include by other names.
COMPAT := ref/trace/compat
COMPAT_HEADERS := $(patsubst $(COMPAT)/%,%,$(wildcard $(COMPAT)/*/*.h \
	$(COMPAT)/*/*/*.h $(COMPAT)/*/*/*/*.h))

PUBLIC_HEADERS := trace2-git.h trace2-json.h trace2-target.h \
	trace/provider/provider.h trace/controller/controller.h

PAGES := $(wildcard helper/man/*.1)
FLEET := helper/fleet/trace2-fleet helper/fleet/tasks.py
# What makes a machine one that collects.
MACHINE := $(addprefix helper/collect/machine/,install collect.conf trace2-collect.service \
	trace2-collect.socket)
# For tests of other programs.
EXPECT := helper/views/expect/trace2-test-lib.sh helper/views/expect/trace2_pytest.py
# For agents: a skill is a folder with a file of this name.
SKILL := helper/skill/SKILL.md
QUERIES := $(wildcard helper/views/table/queries/*.sql)

# The specification: its parts, and the index of them.
SPECS := SPEC TRACING docs/practice docs/index
# The schemas, and each root with all that it needs in one file.
SCHEMA_FILES := $(wildcard schema/*.schema.json schema/events/*.schema.json)
ROOTS := $(wildcard schema/evt*.schema.json)
BUNDLES := $(ROOTS:schema/%.schema.json=$(B)/schema/%.bundle.json)

# What a shell loads where the program of that name is completed.
bashdir ?= $(datadir)/bash-completion/completions
zshdir ?= $(datadir)/zsh/site-functions
fishdir ?= $(datadir)/fish/vendor_completions.d
COMPLETIONS := $(B)/completion/bash $(B)/completion/zsh $(B)/completion/fish

INSTALL_DIRS := $(bindir) $(libdir)/pkgconfig $(includedir)/trace2/trace \
	$(mandir)/man1 $(mandir)/man3 $(docdir)/docs \
	$(datadir)/trace2/schema/events $(datadir)/trace2/queries \
	$(datadir)/trace2/fleet $(datadir)/trace2/machine \
	$(datadir)/trace2/expect $(datadir)/trace2/skill \
	$(bashdir) $(zshdir) $(fishdir)
INSTALLED := $(bindir)/trace2 $(libdir)/libtrace2.a $(libdir)/libtrace2.so \
	$(libdir)/libtrace2.so.$(SOVERSION) $(libdir)/libtrace2.so.$(VERSION) \
	$(libdir)/libtrace2-functions.a $(libdir)/libtrace2-functions.so \
	$(libdir)/libtrace2-functions.so.$(SOVERSION) \
	$(libdir)/libtrace2-functions.so.$(VERSION) \
	$(libdir)/pkgconfig/libtrace2.pc $(includedir)/trace2/trace2.h \
	$(TRACE_HEADERS:%=$(includedir)/trace2/trace/%) \
	$(PUBLIC_HEADERS:%=$(includedir)/trace2/%) \
	$(COMPAT_HEADERS:%=$(includedir)/trace2/%) \
	$(PAGES:helper/man/%=$(mandir)/man1/%) $(mandir)/man3/libtrace2.3 \
	$(SCHEMA_FILES:%=$(datadir)/trace2/%) \
	$(QUERIES:helper/views/table/%=$(datadir)/trace2/%) \
	$(FLEET:helper/%=$(datadir)/trace2/%) \
	$(MACHINE:helper/collect/%=$(datadir)/trace2/%) \
	$(EXPECT:helper/views/%=$(datadir)/trace2/%) \
	$(SKILL:helper/%=$(datadir)/trace2/%) $(bindir)/trace2-fleet \
	$(BUNDLES:$(B)/%=$(datadir)/trace2/%) \
	$(bashdir)/trace2 $(zshdir)/_trace2 $(fishdir)/trace2.fish \
	$(SPECS:%=$(docdir)/%.md) $(SPECS:%=$(docdir)/%.html)

$(B)/completion/%: helper/install/completion.py $(TOOLS)/trace2
	@mkdir -p $(@D)
	@$(SAY) GEN $@
	$(Q)$(PYTHON) -B $< $* $(TOOLS)/trace2 >$@.$$$$ && mv $@.$$$$ $@

$(SPECS:%=$(B)/%.html): $(B)/%.html: %.md helper/install/spec_html.py
	@mkdir -p $(@D)
	@$(SAY) HTML $@
	$(Q)if command -v cmark-gfm >/dev/null; \
	then $(PYTHON) -B helper/install/spec_html.py $< >$@.$$$$ && \
		mv $@.$$$$ $@; \
	else echo 'SKIP $*.html: no cmark-gfm (cmark-gfm)'; fi

install: all $(BUNDLES) $(COMPLETIONS) $(SPECS:%=$(B)/%.html) ## Install below PREFIX (/usr/local), or DESTDIR/PREFIX
	install -d $(INSTALL_DIRS:%="$(DESTDIR)%")
	install $(TOOLS)/trace2 "$(DESTDIR)$(bindir)/"
	install -m 644 $(STATIC) $(SHARED).$(VERSION) $(FUNCTIONS_LIBS) \
		"$(DESTDIR)$(libdir)/"
	for name in libtrace2 libtrace2-functions; do \
		ln -sf $$name.so.$(VERSION) \
			"$(DESTDIR)$(libdir)/$$name.so.$(SOVERSION)"; \
		ln -sf $$name.so.$(SOVERSION) \
			"$(DESTDIR)$(libdir)/$$name.so"; \
	done
	install -m 644 ref/trace2.h "$(DESTDIR)$(includedir)/trace2/"
	install -m 644 $(TRACE_HEADERS:%=ref/trace/%) \
		"$(DESTDIR)$(includedir)/trace2/trace/"
	for header in $(PUBLIC_HEADERS); do \
		install -D -m 644 "ref/$$header" \
			"$(DESTDIR)$(includedir)/trace2/$$header"; \
	done
	for header in $(COMPAT_HEADERS); do \
		install -D -m 644 "$(COMPAT)/$$header" \
			"$(DESTDIR)$(includedir)/trace2/$$header"; \
	done
	sed -e 's|@prefix@|$(PREFIX)|' -e 's|@libdir@|$(libdir)|' \
		-e 's|@includedir@|$(includedir)|' -e 's|@version@|$(VERSION)|' \
		ref/libtrace2.pc.in >"$(DESTDIR)$(libdir)/pkgconfig/libtrace2.pc"
	install -m 644 $(PAGES) "$(DESTDIR)$(mandir)/man1/"
	install -m 644 ref/libtrace2.3 "$(DESTDIR)$(mandir)/man3/"
	for schema in $(SCHEMA_FILES); do \
		install -m 644 "$$schema" "$(DESTDIR)$(datadir)/trace2/$$schema"; \
	done
	install -m 644 $(BUNDLES) "$(DESTDIR)$(datadir)/trace2/schema/"
	install -m 644 $(QUERIES) "$(DESTDIR)$(datadir)/trace2/queries/"
	install helper/fleet/trace2-fleet "$(DESTDIR)$(datadir)/trace2/fleet/"
	install -m 644 helper/fleet/tasks.py \
		"$(DESTDIR)$(datadir)/trace2/fleet/"
	install helper/collect/machine/install \
		"$(DESTDIR)$(datadir)/trace2/machine/"
	install -m 644 $(filter-out %/install,$(MACHINE)) \
		"$(DESTDIR)$(datadir)/trace2/machine/"
	install -m 644 $(EXPECT) "$(DESTDIR)$(datadir)/trace2/expect/"
	install -m 644 $(SKILL) "$(DESTDIR)$(datadir)/trace2/skill/"
	ln -sf ../share/trace2/fleet/trace2-fleet "$(DESTDIR)$(bindir)/"
	install -m 644 $(B)/completion/bash "$(DESTDIR)$(bashdir)/trace2"
	install -m 644 $(B)/completion/zsh "$(DESTDIR)$(zshdir)/_trace2"
	install -m 644 $(B)/completion/fish "$(DESTDIR)$(fishdir)/trace2.fish"
	for page in $(SPECS); do \
		install -m 644 "$$page.md" "$(DESTDIR)$(docdir)/$$page.md" && \
		{ test ! -e "$(B)/$$page.html" || install -m 644 \
			"$(B)/$$page.html" "$(DESTDIR)$(docdir)/$$page.html"; } || \
		exit; \
	done
	@case "$(DESTDIR)$(libdir)/" in /usr/*) ldconfig || true ;; esac

uninstall: ## Remove what `make install` with the same variables installed
	rm -f $(INSTALLED:%="$(DESTDIR)%")
	@find "$(DESTDIR)$(includedir)/trace2" "$(DESTDIR)$(datadir)/trace2" \
		"$(DESTDIR)$(docdir)" -depth -type d -empty -delete \
		2>/dev/null || true

.PHONY: install uninstall
