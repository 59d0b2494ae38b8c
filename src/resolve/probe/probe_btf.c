/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_btf: see probe_btf.h. */
#include "resolve/probe/probe_btf.h"

#include "base/str.h"

#include <bpf/btf.h>
#include <stdio.h>
#include <string.h>

#define MODIFIERS_MAX 32 /* typedefs, const ... on top of each other; the kernel's own bound */

/* What a type is below its names; NULL: of nothing. */
static const struct btf_type *find_bare_type(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);

	for (int i = 0; i < MODIFIERS_MAX && type; i++) {
		if (!btf_is_mod(type) && !btf_is_typedef(type))
			return type;
		type = btf__type_by_id(btf, type->type);
	}
	return NULL;
}

static const char *name_of_type(const struct btf *btf, const struct btf_type *type)
{
	const char *name = type ? btf__name_by_offset(btf, type->name_off) : NULL;

	return name ? name : "";
}

/* False: it takes no register of its own, and exactly one: a struct, 128 bits. */
static bool read_number_type(const struct btf *btf, const struct btf_type *type,
			     struct wp_variable *ret)
{
	if (!type)
		return false;
	ret->operand.size = 8;
	if (btf_is_ptr(type)) {
		const struct btf_type *to = find_bare_type(btf, type->type);

		ret->is_text = to && btf_is_int(to) && strcmp(name_of_type(btf, to), "char") == 0;
		return true;
	}
	if (!btf_is_int(type) && !btf_is_any_enum(type))
		return false;
	ret->operand.size = (uint8_t)type->size;
	ret->operand.is_signed = btf_is_int(type) ? btf_int_encoding(type) & BTF_INT_SIGNED
						  : BTF_INFO_KFLAG(type->info);
	return type->size && type->size <= 8;
}

static struct wp_err *refuse_parameter(const char *event, const struct wp_probe_arg *arg,
				       const struct btf *btf, const struct btf_type *type)
{
	return wp_err_new(WP_ERR_UNSUPPORTED,
			  "event '%s': %s is a struct, or behind one (%s): only integers and "
			  "pointers can be read",
			  event, arg->word, name_of_type(btf, type));
}

static struct wp_err *no_parameter(const char *event, const struct wp_probe_arg *arg,
				   const struct btf *btf, const struct btf_type *function)
{
	const struct btf_param *params = btf_params(function);
	wp_autostr struct wp_str names = {0};

	for (uint32_t i = 0; i < btf_vlen(function); i++)
		wp_str_printf(&names, "%s%s", i ? ", " : "",
			      btf__name_by_offset(btf, params[i].name_off));
	return wp_err_new(WP_ERR_NOT_FOUND,
			  "event '%s': the function has no parameter %s; it has %s", event,
			  arg->word, names.len ? names.s : "none");
}

static struct wp_err *find_parameter(const char *event, const struct btf *btf,
				     const struct btf_type *function,
				     const struct wp_probe_arg *arg, struct wp_variable *ret)
{
	const struct btf_param *params = btf_params(function);

	for (uint32_t i = 0; i < btf_vlen(function); i++) {
		const struct btf_type *type = find_bare_type(btf, params[i].type);

		*ret = (struct wp_variable){.nth = i + 1};
		if (!read_number_type(btf, type, ret))
			return refuse_parameter(event, arg, btf, type);
		if (strcmp(btf__name_by_offset(btf, params[i].name_off), arg->word) == 0)
			return NULL;
	}
	return no_parameter(event, arg, btf, function);
}

static struct wp_err *find_in_btf(const char *event, const struct btf *btf, const char *name,
				  const struct wp_probe_arg *arg, struct wp_variable *ret)
{
	int32_t id = btf__find_by_name_kind(btf, name, BTF_KIND_FUNC);
	const struct btf_type *function = id > 0 ? btf__type_by_id(btf, (uint32_t)id) : NULL;

	function = function ? btf__type_by_id(btf, function->type) : NULL;
	if (!function || !btf_is_func_proto(function))
		return wp_err_new(WP_ERR_NOT_FOUND,
				  "event '%s': the kernel's BTF does not have the parameters of %s "
				  "(the compiler changed them): say arg1 ... instead of %s",
				  event, name, arg->word);
	return find_parameter(event, btf, function, arg, ret);
}

struct wp_err *wp_probe_btf_find(const char *event, const char *module, const char *function,
				 const struct wp_probe_arg *arg, struct wp_variable *ret)
{
	struct btf *kernel = btf__load_vmlinux_btf(), *own = NULL;
	struct wp_err *err;

	if (kernel && module)
		own = btf__load_module_btf(module, kernel);
	if (!kernel || (module && !own))
		err = wp_err_new(
			WP_ERR_UNSUPPORTED,
			"event '%s': %s has no BTF (/sys/kernel/btf), which names are found "
			"by: say arg1 ... instead of %s",
			event, module ? module : "the kernel", arg->word);
	else
		err = find_in_btf(event, module ? own : kernel, function, arg, ret);
	btf__free(own);
	btf__free(kernel);
	return err;
}
