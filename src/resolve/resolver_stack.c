/* SPDX-License-Identifier: BSD-3-Clause */
/* resolver_stack: see resolver_stack.h. What the unwinder asks for, out of a resolver. */
#include "resolve/resolver_stack.h"

#include "resolve/resolver_mapping.h"
#include "resolve/unwind/unwind.h"

/* One stack's questions. */
struct asker {
	struct wp_resolver *resolver;
	uint32_t pid;
	uint64_t time_ns;
	enum wp_image_patience patience;
	bool later; /* something is not loaded yet */
};

static bool ask_mapping(void *arg, struct wp_va va, struct wp_image_mapping *ret)
{
	struct asker *a = arg;
	enum wp_resolver_answer answer =
		wp_resolver_mapping(a->resolver, a->pid, va, a->patience, ret);

	a->later |= answer == WP_RESOLVER_LATER;
	return answer == WP_RESOLVER_FOUND;
}

static const struct wp_unwind_rows *ask_rows(void *arg, struct wp_image *image)
{
	struct asker *a = arg;
	const struct wp_unwind_rows *rows = NULL;
	enum wp_resolver_answer answer = wp_resolver_rows(a->resolver, image, a->patience, &rows);

	a->later |= answer == WP_RESOLVER_LATER;
	return rows;
}

static const struct wp_unwind_rule *ask_jit_rule(void *arg, struct wp_va va)
{
	const struct asker *a = arg;

	return wp_resolver_jit_rule(a->resolver, a->pid, va, a->time_ns);
}

static const struct wp_unwind_rule *ask_exit_rule(void *arg, struct wp_va va, bool exact)
{
	const struct asker *a = arg;

	return wp_resolver_exit_rule(a->resolver, a->pid, va, exact);
}

static struct asker asker_of(struct wp_resolver *resolver, const struct wp_record *sample,
			     enum wp_image_patience patience)
{
	return (struct asker){resolver, sample->pid, sample->time_ns, patience, false};
}

static void unwind_stack(struct asker *asker, const struct wp_record *sample, struct wp_stack *ret)
{
	struct wp_unwind_env env = {ask_mapping, ask_rows, ask_jit_rule, ask_exit_rule, asker};

	wp_unwind(&env, sample, ret);
}

void wp_resolver_stack(struct wp_resolver *resolver, const struct wp_record *sample,
		       struct wp_stack *ret)
{
	struct asker asker = asker_of(resolver, sample, WP_IMAGE_WAIT);

	unwind_stack(&asker, sample, ret);
}

bool wp_resolver_try_stack(struct wp_resolver *resolver, const struct wp_record *sample,
			   struct wp_stack *ret)
{
	struct asker asker = asker_of(resolver, sample, WP_IMAGE_HURRY);
	struct wp_image_mapping ignored;

	unwind_stack(&asker, sample, ret);
	for (size_t i = 0; i < ret->n_user; i++)
		ask_mapping(&asker, (struct wp_va){ret->frames[ret->n_kernel + i].ip.v - (i > 0)},
			    &ignored);
	return !asker.later;
}

bool wp_resolver_try_sample(struct wp_resolver *resolver, const struct wp_record *sample)
{
	struct wp_image_mapping ignored;

	return sample->sample.mode == WP_MODE_KERNEL ||
	       wp_resolver_mapping(resolver, sample->pid, sample->sample.ip, WP_IMAGE_HURRY,
				   &ignored) != WP_RESOLVER_LATER;
}
