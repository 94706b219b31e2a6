#include "touchroute.h"
