/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spe_text: a packet of Arm SPE in words, as `perf report -D` prints it, so that both can be
 * compared; more words where older perfs have none.
 */
#ifndef WP_SPE_TEXT_H
#define WP_SPE_TEXT_H

#include "format/spe/spe_packet.h"

#define WP_SPE_TEXT_MAX 512 /* all events at once are shorter */

/* ret has WP_SPE_TEXT_MAX bytes. */
void wp_spe_text(const struct wp_spe_packet *packet, char *ret);
/* A bit of EVENTS; NULL: it is a core's own. */
const char *wp_spe_text_event(unsigned int bit);

#endif
