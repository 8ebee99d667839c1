/* un.h - an address that can be named, but not reached. */
#pragma once
struct sockaddr_un {
	char sun_path[108];
};
