/* SPDX-License-Identifier: BSD-3-Clause */
/* libelf.h for Windows: see gelf.h. */
#include <gelf.h>
