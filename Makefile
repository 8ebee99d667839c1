# make help lists what there is
PREFIX ?= /usr/local
CC ?= cc
CXX ?= c++
PYTHON := /usr/bin/python3

B := build
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla -Wformat=2 \
	-Werror
CWARN := $(WARN) -Wstrict-prototypes -Wmissing-prototypes
OPT ?= -O2 -g
CFLAGS_ALL = -std=c11 -D_POSIX_C_SOURCE=200809L $(CWARN) $(OPT) \
	-Iref -fvisibility=hidden -MMD -MP $(CFLAGS)
CXXFLAGS_ALL = -std=c++17 $(WARN) $(OPT) -fvisibility=hidden -MMD -MP \
	$(CXXFLAGS)

REF_SRC := $(wildcard ref/*.c)
TOOL_SRC := $(wildcard helper/test-tool.c helper/fake_host.c helper/verbs/*.c)
TRACE2_SRC := $(wildcard helper/trace2.c helper/validate/*.c)
TRACE2_CXX := $(wildcard helper/validate/*.cpp)

REF_OBJ := $(REF_SRC:%.c=$(B)/%.o)
REF_PIC := $(REF_SRC:%.c=$(B)/pic/%.o)
TOOL_OBJ := $(TOOL_SRC:%.c=$(B)/%.o)
TRACE2_OBJ := $(TRACE2_SRC:%.c=$(B)/%.o) $(TRACE2_CXX:%.cpp=$(B)/%.o)

all: helper/test-tool helper/trace2

helper/test-tool: $(TOOL_OBJ) $(REF_OBJ)
	$(CC) $(OPT) $(LDFLAGS) -o $@ $^ -lmd -lpthread

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -DTRACE2_BUILDING -c -o $@ $<

$(B)/%.o: %.cpp
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS_ALL) -c -o $@ $<

clean:
	rm -rf $(B) helper/test-tool helper/trace2

.PHONY: all clean
-include $(REF_OBJ:.o=.d) $(TOOL_OBJ:.o=.d) $(TRACE2_OBJ:.o=.d)
