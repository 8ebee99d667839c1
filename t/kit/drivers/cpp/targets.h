/* targets.h - what the parts that open and write destinations share. */
#ifndef TARGETS_H
#define TARGETS_H

#include "emitter.h"

using std::string;

struct Target {
	const char *variable, *brief_variable;
	int fd = -1;
	bool opened = false, dgram = false, socket = false, brief = false,
	     full = false;
	string value = "";

	bool on() const
	{
		return fd >= 0;
	}
};

extern string target_sid;

bool truth_of(const char *name);
int move_up(int fd);
void open_target(Target &target);

#endif
