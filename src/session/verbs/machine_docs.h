/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_docs: the documents of the informing verbs (list, man, test, detect, --version), made
 * from a machine and a catalogue alone. The caller frees a document.
 */
#ifndef WP_MACHINE_DOCS_H
#define WP_MACHINE_DOCS_H

#include "core/doc.h"
#include "core/event.h"
#include "core/machine.h"
#include "event/event_parse.h"
#include "session/session.h"

struct wp_doc *wp_version_doc(const struct wp_machine *machine);
struct wp_doc *wp_detect_doc(const struct wp_machine *machine);
/* pattern: only what has it in its name or kind (glob or part, any case); NULL: everything. */
struct wp_doc *wp_list_doc(const struct wp_catalogue *catalogue, const char *pattern, bool verbose);
/* events: what -e and -m ask for, without the fixed cycle counter, which is put in front. */
struct wp_doc *wp_test_doc(const struct wp_catalogue *catalogue, struct wp_event_set *events,
			   const struct wp_session_options *options);
/* Warns and makes an empty document when nothing is known of the topic, or it is NULL. */
struct wp_doc *wp_man_doc(const struct wp_catalogue *catalogue, const char *topic);

/* wp_emit() and the end of the document. */
struct wp_err *wp_emit_and_free(const struct wp_session_options *options, struct wp_session_io *io,
				struct wp_doc *doc) WP_MUST_CHECK;

#endif
