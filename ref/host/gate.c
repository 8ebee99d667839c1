#include "host/gate.h"

__thread unsigned tr2_gates __attribute__((tls_model("initial-exec")));
