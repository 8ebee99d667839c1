#!/bin/bash
# The EVENT target: a JSON object on each line, for programs.

. "${0%/*}/test-lib.sh"
. "$ROOT/t/lib-golden.sh"

test_expect 'a command that returns, as JSON' '
	trace test-tool trace2 001return 0
	golden event/001return.txt
	"$PYTHON" -c "import json, sys; [json.loads(l) for l in sys.stdin]" \
		<out/event
'

test_expect 'an error has its message and its format' '
	trace test-tool trace2 003error "hello world" "it'\''s" 100%s
	golden event/003error.txt
'

test_expect 'regions deeper than two are left out' '
	trace test-tool trace2 500region_nested
	golden event/500region_nested.txt
'

test_expect 'data are texts, numbers and JSON' '
	trace test-tool trace2 006data c k v c2 k2 "v 2"
	golden event/006data.txt
	trace test-tool trace2 510data_intmax
	golden event/510data_intmax.txt
	trace test-tool trace2 511data_json
	golden event/511data_json.txt
'

test_expect 'control characters and quotes are escaped, UTF-8 is not' '
	trace test-tool trace2 592text control
	golden event/592text-control.txt
	trace test-tool trace2 592text quotes
	golden event/592text-quotes.txt
	trace test-tool trace2 592text utf8
	golden event/592text-utf8.txt
'

test_expect 'bytes that are not UTF-8 are replaced' '
	trace test-tool trace2 592text invalid
	golden event/592text-invalid.txt
	"$PYTHON" -c "open(\"out/event\", encoding=\"utf-8\").read()"
'

test_expect 'a signal is the last event of the process that it kills' '
	test_exit 143 trace test-tool trace2 540signal TERM
	golden event/540signal-TERM.txt
	tail -n 1 out/event | grep "\"event\":\"signal\".*\"signo\":15"
'

test_expect 'passwords in URLs are hidden' '
	trace test-tool trace2 300redact_start git clone \
		https://user:pw@example.com/x
	golden event/300redact_start.txt
	test_exit 1 grep user:pw out/event
'

test_done
