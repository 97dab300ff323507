#ifndef ALLOWC_VERSION_H
#define ALLOWC_VERSION_H

#define ALLOWC_VERSION "0.1.0"

#endif
