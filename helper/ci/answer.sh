#!/bin/bash
# Say on the job's page where the time of its git went: helper/ci/answer.sh
#
#	HIDE, KEY	what `trace2 redact` hides, and its secret key
#	BASE		compare with the last runs of this branch
#	RUNS		with so many of them; 0: do not compare
#	NAME		the artifact that has a run's record
#	FAIL_ON		a regression that makes the step fail
#
# All that leaves the runner is made of the redacted record. The outputs are
# `page`, `record` and `exit-code`: 0, 1 if git became slower, 3 if there was
# no log.

set -euo pipefail
trace2=${0%/*}/trace2.sh
place=$(mktemp -d "$RUNNER_TEMP/trace2-answer.XXXXXX")
page=$place/page.md record=$place/$NAME code=0

# redact_logs: 1 means that lines were left out, and a log may be cut.
redact_logs () {
	local words=()
	test -z "$HIDE" || words+=(--hide "$HIDE")
	if test -n "$KEY"
	then
		(umask 077 && printf %s "$KEY" >"$place/key")
		words+=(--key "$place/key")
	fi
	"$trace2" redact "${words[@]}" -o "$record" "$TRACE2_LOGS" ||
		test $? = 1
	rm -f "$place/key"
}

# fetch_base: only runs of pushes: a run for somebody's proposal may come from
# a branch that has the same name. A run without a record counts as none.
fetch_base () {
	local id
	mkdir "$place/base"
	for id in $(gh run list --branch "$BASE" --workflow "$GITHUB_WORKFLOW" \
		--event push --status success --limit "$RUNS" \
		--json databaseId --jq '.[].databaseId')
	do
		test "$id" = "${GITHUB_RUN_ID-}" ||
			gh run download "$id" --name "$NAME" \
				--dir "$place/base/$id" || rm -rf "$place/base/$id"
	done
	test -n "$(ls "$place/base")"
}

compare () {
	local words=() told=0
	test -z "$FAIL_ON" || words+=(--fail-on "$FAIL_ON")
	"$trace2" diff --format markdown "${words[@]}" "$place/base" "$record" \
		>"$place/diff.md" || told=$?
	echo
	echo "## Against the last $(ls "$place/base" | wc -l) runs of the base"
	echo
	cat "$place/diff.md"
	case $told in
	0) ;;
	1) code=1 && echo && echo '**Git became slower.**' ;;
	3) echo && echo 'Nothing is certain: there are too few runs of the same commands, or logs that were cut.' ;;
	*) return 1 ;;
	esac
}

write_page () {
	echo '## Where the time of git went'
	echo
	"$trace2" summary --format markdown "$record" || test $? = 1
	if test "$RUNS" = 0
	then
		:
	elif fetch_base >&2
	then
		compare
	else
		echo
		echo 'There is no record of the base branch to compare with.'
	fi
}

"${0%/*}/record.sh" stop
: "${TRACE2_LOGS:=$RUNNER_TEMP/trace2}"
if test -z "$(find "$TRACE2_LOGS" -type f 2>/dev/null | head -1)"
then
	echo '::error::No git was recorded: use helper/ci/record first.'
	echo "exit-code=3" >>"$GITHUB_OUTPUT"
	exit 0
fi
redact_logs
write_page >"$page"
cat "$page" >>"$GITHUB_STEP_SUMMARY"
printf '%s\n' "page=$page" "record=$record" "exit-code=$code" >>"$GITHUB_OUTPUT"
