/*
 * params.h - find the parameters that the settings ask for, and their values.
 * trace2_cmd_list_config() and the related calls use it.
 */
#ifndef TR2_CONFIG_PARAMS_H
#define TR2_CONFIG_PARAMS_H

/*
 * `value` is NULL for a key without a value. The texts are valid during the
 * call.
 */
typedef void tr2_param_fn(const char *scope, const char *param,
			  const char *value, void *data);

/*
 * Report every config value whose key matches one of the comma-separated
 * globs in `patterns` (NULL: no globs), in the order of the files. This
 * includes values that later ones override.
 * SPEC: params.config
 */
void tr2_params_config(const char *patterns, tr2_param_fn *fn, void *data);

/*
 * Report every named environment variable that is set and not empty, in the
 * order of the list; the scope is "command".
 * SPEC: params.env
 */
void tr2_params_env(const char *names, tr2_param_fn *fn, void *data);

/* Does one of the globs match `key`? Ignores case. SPEC: params.glob */
int tr2_params_match(const char *patterns, const char *key);

#endif
