#!/bin/sh
# `trace2 validate` for the CI of others: helper/ci/validate.sh ARGUMENT...

exec "${0%/*}/trace2.sh" validate "$@"
