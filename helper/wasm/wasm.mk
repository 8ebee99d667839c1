# The module for WebAssembly: the rooms that helper/wasm/rooms names, and
# Debian's zlib, zstd, SQLite, libmd and xxHash, compiled for it.
#
#	make deps-wasm		install the compiler, fetch the sources
#	make wasm		build/wasm/trace2.wasm

WASM := $(B)/wasm
WASM_SOURCES := $(WASM)/src
# LLVM 14's linker makes a module whose malloc traps; that of 19 is in Debian
# 12 and 13.
WASM_CC := $(shell command -v ccache) clang-19 --target=wasm32-wasi
WASM_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -D_WASI_EMULATED_GETPID \
	$(WASM_OPT) -msimd128 -mbulk-memory -ffunction-sections $(WARN) \
	-Wno-shorten-64-to-32 \
	-Wno-gnu-include-next -Ihelper/wasm/include -Iref \
	-Iref/trace/compat -Ihelper -I$(B)/gen \
	$(patsubst %,-isystem $(WASM_SOURCES)/%,zlib libzstd/lib sqlite3 \
	libmd/include xxhash) -DTRACE2_VERSION='"$(VERSION)"' -MMD -MP
# Small where it is not each line's work: the page carries it.
WASM_OPT := -O2
$(WASM)/gen/%.o $(WASM)/helper/cli/%.o $(WASM)/helper/views/%.o \
	$(WASM)/helper/validate/%.o $(WASM)/helper/redact/%.o \
	$(WASM)/helper/collect/%.o $(WASM)/ref/trace/%.o \
	$(WASM)/helper/rules/textlog/%.o $(WASM)/helper/rules/consumer/%.o \
	$(WASM)/helper/lib/files/%.o $(WASM)/helper/lib/whole/%.o \
	$(WASM)/helper/read/text/%.o $(WASM)/helper/read/plain/%.o \
	$(WASM)/helper/model/%.o: \
	WASM_OPT := -Oz
WASM_LDFLAGS := -lwasi-emulated-getpid -Wl,--strip-all,--gc-sections,-O3,--compress-relocations \
	-Wl,--stack-first,-z,stack-size=1048576

WASM_ROOMS := $(shell sed -n 's/^[rh][^ ]*$$/&/p' helper/wasm/rooms)
WASM_SRC := $(filter-out $(shell sed -n 's/^without //p' helper/wasm/rooms), \
	$(filter %.c,$(WASM_ROOMS)) $(wildcard $(WASM_ROOMS:%=%/*.c)))
WASM_GEN := $(patsubst %,$(B)/gen/%,schema_tables readers rules_table page)
WASM_OBJ := $(WASM_SRC:%.c=$(WASM)/%.o) $(WASM_GEN:$(B)/%=$(WASM)/%.o)

# Of the libraries, what reads compressed logs and writes a database.
LIB_SRC := $(patsubst %,zlib/%.c,adler32 crc32 inffast inflate inftrees zutil) \
	$(patsubst %,libzstd/lib/common/%.c,entropy_common error_private \
	fse_decompress xxhash zstd_common) \
	$(patsubst %,libzstd/lib/decompress/%.c,huf_decompress zstd_ddict \
	zstd_decompress zstd_decompress_block) \
	libmd/src/sha1.c libmd/src/sha2.c sqlite3/sqlite3.c
WASM_LIB := $(LIB_SRC:%.c=$(WASM)/lib/%.o)
LIB_CFLAGS := -Os -msimd128 -mbulk-memory -ffunction-sections -w \
	-D_WASI_EMULATED_GETPID -DHAVE_UNISTD_H -DZSTD_DISABLE_ASM \
	-DZSTD_LEGACY_SUPPORT=0 -Ihelper/wasm/include -isystem \
	$(WASM_SOURCES)/libmd/include -I$(WASM)/lib
# Nobody else has the file while it is made, so nothing is locked.
SQLITE_CFLAGS := -Oz -include helper/wasm/sqlite_system.h $(patsubst %,-DSQLITE_%,OS_UNIX THREADSAFE=0 \
	EXTRA_INIT=tr2_wasm_sqlite TEMP_STORE=3 DEFAULT_MEMSTATUS=0 \
	MAX_MMAP_SIZE=0 DQS=0 $(patsubst %,OMIT_%,AUTHORIZATION \
	COMPILEOPTION_DIAGS DECLTYPE DEPRECATED JSON LOAD_EXTENSION \
	PROGRESS_CALLBACK SHARED_CACHE TRACE UTF16 WAL DATETIME_FUNCS \
	INTEGRITY_CHECK INCRBLOB AUTOVACUUM XFER_OPT LIKE_OPTIMIZATION \
	BETWEEN_OPTIMIZATION GET_TABLE COMPLETE TCL_VARIABLE)) -DF_RDLCK=0 \
	-DF_WRLCK=1 -DF_UNLCK=2 -DF_GETLK=5 -DF_SETLK=6

deps-wasm: ## Install what `make wasm` needs, and fetch its libraries
	@helper/deps.sh wasm
	@$(SAY) FETCH $(WASM_SOURCES)
	@helper/wasm/sources.sh $(WASM_SOURCES)

wasm: $(WASM)/trace2.wasm ## Build build/wasm/trace2.wasm (after make deps-wasm)

$(WASM)/trace2.wasm: $(WASM_OBJ) $(WASM_LIB)
	@$(SAY) LINK $@
	$(Q)$(WASM_CC) -o $@.big $^ $(WASM_LDFLAGS)
	$(Q)wasm-opt -Oz --enable-simd --enable-bulk-memory --enable-sign-ext \
		--enable-mutable-globals --enable-nontrapping-float-to-int \
		$@.big -o $@

# The vectors find what the loop finds.
$(WASM)/tokens.wasm: t/unit/read/json/tokens.c $(WASM_OBJ) $(WASM_LIB)
	@$(SAY) LINK $@
	$(Q)$(WASM_CC) $(WASM_CFLAGS) -It/unit -MF $(WASM)/tokens.d -o $@ $< \
		$(filter-out $(WASM)/helper/trace2.o,$(filter %.o,$^)) $(WASM_LDFLAGS)

$(WASM_OBJ) $(WASM_LIB): helper/wasm/wasm.mk $(B)/flags | $(WASM_SOURCES)/complete
$(WASM_OBJ): | $(TABLES).h $(READERS).h $(ROWS) $(USAGES)

$(WASM_SOURCES)/complete:
	$(error `make deps-wasm` installs what this needs)

$(WASM)/%.o: %.c
	@mkdir -p $(@D)
	@$(SAY) WASM $@
	$(Q)$(WASM_CC) $(WASM_CFLAGS) -c -o $@ $<

$(WASM)/gen/%.o: $(B)/gen/%.c
	@mkdir -p $(@D)
	@$(SAY) WASM $@
	$(Q)$(WASM_CC) $(WASM_CFLAGS) -c -o $@ $<

$(WASM)/lib/config.h:
	@mkdir -p $(@D); : >$@

$(WASM)/lib/%.o: $(WASM)/lib/config.h
	@mkdir -p $(@D)
	@$(SAY) WASM $@
	$(Q)$(WASM_CC) $(LIB_CFLAGS) $(if $(filter %sqlite3,$*),$(SQLITE_CFLAGS)) \
		-c -o $@ $(WASM_SOURCES)/$*.c

.PHONY: deps-wasm wasm

-include $(WASM_OBJ:.o=.d)
