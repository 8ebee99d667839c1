/*
 * params.h - which parameters are interesting, and their values.
 * Used by trace2_cmd_list_config() and its sisters.
 */
#ifndef TR2_CONFIG_PARAMS_H
#define TR2_CONFIG_PARAMS_H

/* `value` NULL: a key without a value. Texts are valid during the call. */
typedef void tr2_param_fn(const char *scope, const char *param,
			  const char *value, void *data);

/*
 * Every config value whose key matches one of the comma-separated globs
 * in `patterns` (NULL: none), in file order; overridden values too.
 * SPEC: params.config
 */
void tr2_params_config(const char *patterns, tr2_param_fn *fn, void *data);

/*
 * Every named environment variable that is set and not empty, in the order
 * of the list; the scope is "command". SPEC: params.env
 */
void tr2_params_env(const char *names, tr2_param_fn *fn, void *data);

/* Does `key` match one of the globs? Case-insensitive. SPEC: params.glob */
int tr2_params_match(const char *patterns, const char *key);

#endif
