/*
 * gitconfig_kit.h - a world of config files and repositories, and an
 * environment of its own.
 */
#ifndef UNIT_GITCONFIG_GITCONFIG_KIT_H
#define UNIT_GITCONFIG_GITCONFIG_KIT_H

#include "kit/destination.h"
#include "kit/live.h"
#include "gitconfig/gitconfig.h"

static struct {
	const char *name, *value;
} names[12]; /* the environment */
static char shown[1 << 17];

static inline const char *some_getenv(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].name && !strcmp(name, names[i].name))
			return names[i].value;
	return NULL;
}

static inline void set_name(const char *name, const char *value)
{
	size_t i = 0;

	while (names[i].name && strcmp(names[i].name, name))
		i++;
	names[i].name = name;
	names[i].value = value;
}

static inline void forget_names(void)
{
	memset(names, 0, sizeof(names));
	set_name("GIT_CONFIG_SYSTEM", kit_path("system"));
	set_name("HOME", kit_path("home"));
}

static inline void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	kit_require(fd >= 0 && write(fd, text, strlen(text)) >= 0, path);
	close(fd);
}

/* Includes themselves are left out. */
static inline void show_entry(const struct tr2_config_entry *entry, void *data)
{
	size_t used = strlen(shown);

	(void)data;
	if (!strncmp(entry->key, "include", strlen("include")))
		return;
	snprintf(shown + used, sizeof(shown) - used, "%s:%s=%s;",
		 tr2_config_scope_name(entry->scope), entry->key,
		 entry->value ? entry->value : "-");
}

static inline const char *show_all(void)
{
	*shown = '\0';
	tr2_gitconfig_read_all(show_entry, NULL);
	return shown;
}

static inline const char *show_early(void)
{
	*shown = '\0';
	tr2_gitconfig_read_early(show_entry, NULL);
	return shown;
}

static inline void make_world(void)
{
	static const char *const dirs[] = {
		"home",
		"home/.config",
		"home/.config/git",
		"xdg",
		"xdg/git",
		"repo",
		"repo/.git",
		"repo/.git/refs",
		"repo/.git/objects",
		"wt",
		"Sub",
	};

	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++)
		kit_require(!mkdir(dirs[i], 0777), dirs[i]);
	write_file("repo/.git/HEAD", "ref: refs/heads/main");
	write_file("repo/.git/config", "[l]k");
	write_file("wt/HEAD", "ref: refs/heads/main");
	write_file("wt/commondir", "../repo/.git");
	write_file("system", "[s]k");
	write_file("home/.gitconfig", "[h]k");
	write_file("home/.config/git/config", "[x]k");
	write_file("xdg/git/config", "[o]k");
	write_file("global", "[g]k");
	write_file("yes", "[y]k");
	kit_require(!symlink("repo", "link"), "no link");
}

static inline void gitconfig_start(void)
{
	kit_start();
	kit_host.getenv = some_getenv;
	kit_host.realloc = counting_realloc;
	kit_host.free = counting_free;
	forget_names();
	make_world();
}

#endif
