/* SPDX-License-Identifier: BSD-3-Clause */
/* usdt_operand: see usdt_operand.h. */
#include "format/elf/usdt_operand.h"

#include <ctype.h>
#include <string.h>

/* What is left of an operand's text. */
struct scan {
	const char *at, *end;
};

static bool take_operand_char(struct scan *s, char c)
{
	if (s->at >= s->end || *s->at != c)
		return false;
	s->at++;
	return true;
}

static void skip_operand_blanks(struct scan *s)
{
	while (s->at < s->end && *s->at == ' ')
		s->at++;
}

static bool is_digit_at(const struct scan *s)
{
	return s->at < s->end && isdigit((unsigned char)*s->at);
}

/* Digits of a base up to 16; wraps as an address does. */
static uint64_t take_digits(struct scan *s, unsigned int base)
{
	uint64_t value = 0;

	for (; s->at < s->end && isxdigit((unsigned char)*s->at); s->at++) {
		char c = (char)tolower((unsigned char)*s->at);
		unsigned int digit =
			(unsigned int)(isdigit((unsigned char)c) ? c - '0' : c - 'a' + 10);

		if (digit >= base)
			break;
		value = value * base + digit;
	}
	return value;
}

/* "-0x14", "+8", "8": false and nothing taken where there is none. */
static bool take_signed_number(struct scan *s, int64_t *ret)
{
	struct scan at = *s;
	bool negative = take_operand_char(&at, '-');
	uint64_t value;

	if (!negative)
		take_operand_char(&at, '+');
	if (!is_digit_at(&at))
		return false;
	if (at.end - at.at > 2 && at.at[0] == '0' && (at.at[1] == 'x' || at.at[1] == 'X')) {
		at.at += 2;
		value = take_digits(&at, 16);
	} else {
		value = take_digits(&at, 10);
	}
	*ret = (int64_t)(negative ? 0 - value : value);
	*s = at;
	return true;
}

static size_t take_operand_word(struct scan *s, const char *also, const char **ret)
{
	*ret = s->at;
	while (s->at < s->end &&
	       (isalnum((unsigned char)*s->at) || (*s->at && strchr(also, *s->at))))
		s->at++;
	return (size_t)(s->at - *ret);
}

static bool is_register_word(const char *word, size_t n, const char *name)
{
	return strlen(name) == n && memcmp(word, name, n) == 0;
}

/* Of 8, 4, 2 and 1 bytes, by DWARF's number (System V ABI, AMD64 supplement, figure 3.36). */
static const char *const x86_names[][4] = {
	{"rax", "eax", "ax", "al"},	 {"rdx", "edx", "dx", "dl"},
	{"rcx", "ecx", "cx", "cl"},	 {"rbx", "ebx", "bx", "bl"},
	{"rsi", "esi", "si", "sil"},	 {"rdi", "edi", "di", "dil"},
	{"rbp", "ebp", "bp", "bpl"},	 {"rsp", "esp", "sp", "spl"},
	{"r8", "r8d", "r8w", "r8b"},	 {"r9", "r9d", "r9w", "r9b"},
	{"r10", "r10d", "r10w", "r10b"}, {"r11", "r11d", "r11w", "r11b"},
	{"r12", "r12d", "r12w", "r12b"}, {"r13", "r13d", "r13w", "r13b"},
	{"r14", "r14d", "r14w", "r14b"}, {"r15", "r15d", "r15w", "r15b"},
	{"rip", "eip", "rip", "rip"},
};
static const char *const x86_high[] = {"ah", "dh", "ch", "bh"};

/* "%rdi" */
static bool take_x86_register(struct scan *s, uint8_t *ret, bool *ret_high)
{
	const char *word;
	size_t n;

	if (!take_operand_char(s, '%'))
		return false;
	n = take_operand_word(s, "", &word);
	for (uint8_t i = 0; i < sizeof(x86_high) / sizeof(*x86_high); i++)
		if (is_register_word(word, n, x86_high[i])) {
			*ret = i;
			*ret_high = true;
			return true;
		}
	for (uint8_t i = 0; i < sizeof(x86_names) / sizeof(*x86_names); i++)
		for (size_t width = 0; width < 4; width++)
			if (is_register_word(word, n, x86_names[i][width])) {
				*ret = i;
				return true;
			}
	return false;
}

/* "(%rbp)", "(%rax,%rcx,8)", "(,%rcx,8)", "(%rip)" */
static bool take_x86_memory(struct scan *s, struct wp_operand *op)
{
	int64_t scale = 1;
	bool high = false;

	if (!take_operand_char(s, '('))
		return false;
	if (s->at < s->end && *s->at == '%' && !take_x86_register(s, &op->base, &high))
		return false;
	if (take_operand_char(s, ',')) {
		skip_operand_blanks(s);
		if (!take_x86_register(s, &op->index, &high))
			return false;
		skip_operand_blanks(s);
		if (take_operand_char(s, ',') &&
		    (skip_operand_blanks(s), !take_signed_number(s, &scale)))
			return false;
		if (scale != 1 && scale != 2 && scale != 4 && scale != 8)
			return false;
		op->shift = (uint8_t)__builtin_ctzll((uint64_t)scale);
	}
	op->kind = WP_OPERAND_MEMORY;
	return !high && take_operand_char(s, ')') &&
	       (op->base != WP_OPERAND_NO_REG || op->index != WP_OPERAND_NO_REG);
}

/* "sym(%rip)", "sym+8(%rip)", "8+sym(%rip)" */
static bool take_x86_symbol(struct scan *s, struct wp_usdt_operand *ret)
{
	int64_t more = 0;

	ret->symbol_len = take_operand_word(s, "_.$@", &ret->symbol);
	if (!ret->symbol_len)
		return false;
	take_signed_number(s, &more);
	ret->operand.value += more;
	return take_x86_memory(s, &ret->operand) && ret->operand.base == WP_OPERAND_IP_X86_64 &&
	       ret->operand.index == WP_OPERAND_NO_REG;
}

static bool read_x86(struct scan *s, struct wp_usdt_operand *ret)
{
	struct wp_operand *op = &ret->operand;

	if (take_operand_char(s, '$')) {
		op->kind = WP_OPERAND_CONSTANT;
		return take_signed_number(s, &op->value);
	}
	if (s->at < s->end && *s->at == '%') {
		op->kind = WP_OPERAND_REGISTER;
		return take_x86_register(s, &op->base, &op->is_high);
	}
	if (take_signed_number(s, &op->value) && s->at < s->end && *s->at == '(')
		/* From the next instruction, whose place the note does not say. */
		return take_x86_memory(s, op) && op->base != WP_OPERAND_IP_X86_64;
	if (s->at < s->end && *s->at == '(')
		return take_x86_memory(s, op) && op->base != WP_OPERAND_IP_X86_64;
	take_operand_char(s, '+');
	return take_x86_symbol(s, ret);
}

/* "x0", "w12", "sp"; wzr and xzr are no register, but 0. */
static bool take_arm64_register(struct scan *s, uint8_t *ret, bool *ret_zero)
{
	const char *word;
	size_t n = take_operand_word(s, "", &word);
	struct scan number = {word + 1, word + n};
	uint64_t value;

	*ret_zero = is_register_word(word, n, "xzr") || is_register_word(word, n, "wzr");
	if (*ret_zero)
		return true;
	if (is_register_word(word, n, "sp") || is_register_word(word, n, "wsp")) {
		*ret = 31;
		return true;
	}
	if (n < 2 || n > 3 || (*word != 'x' && *word != 'w') || !is_digit_at(&number))
		return false;
	value = take_digits(&number, 10);
	*ret = (uint8_t)value;
	return number.at == number.end && value <= 30;
}

/* ", lsl 3" or ", lsl #3" behind an index */
static bool take_arm64_shift(struct scan *s, struct wp_operand *op)
{
	const char *word;
	int64_t shift;
	size_t n;

	if (!take_operand_char(s, ','))
		return true;
	skip_operand_blanks(s);
	n = take_operand_word(s, "", &word);
	skip_operand_blanks(s);
	take_operand_char(s, '#');
	if (!is_register_word(word, n, "lsl") || !take_signed_number(s, &shift) || shift < 0 ||
	    shift > 4)
		return false;
	op->shift = (uint8_t)shift;
	return true;
}

/* "sp]", "sp, 8]", "x0, #-8]", "x0, x1, lsl 3]": behind its '[' */
static bool take_arm64_memory(struct scan *s, struct wp_operand *op)
{
	bool zero;

	op->kind = WP_OPERAND_MEMORY;
	skip_operand_blanks(s);
	if (!take_arm64_register(s, &op->base, &zero) || zero)
		return false;
	skip_operand_blanks(s);
	if (take_operand_char(s, ',')) {
		skip_operand_blanks(s);
		if (take_operand_char(s, '#') || is_digit_at(s) ||
		    (s->at < s->end && *s->at == '-')) {
			if (!take_signed_number(s, &op->value))
				return false;
		} else if (!take_arm64_register(s, &op->index, &zero) || zero ||
			   !take_arm64_shift(s, op)) {
			return false;
		}
	}
	skip_operand_blanks(s);
	return take_operand_char(s, ']');
}

static bool read_arm64(struct scan *s, struct wp_operand *op)
{
	bool zero = false;

	if (take_operand_char(s, '['))
		return take_arm64_memory(s, op);
	if (take_operand_char(s, '#') || is_digit_at(s) || (s->at < s->end && *s->at == '-')) {
		op->kind = WP_OPERAND_CONSTANT;
		return take_signed_number(s, &op->value);
	}
	op->kind = WP_OPERAND_REGISTER;
	if (!take_arm64_register(s, &op->base, &zero))
		return false;
	if (zero)
		op->kind = WP_OPERAND_CONSTANT;
	return true;
}

/* "-4@" */
static bool take_size(struct scan *s, struct wp_operand *op)
{
	int64_t size;

	if (!take_signed_number(s, &size) || !take_operand_char(s, '@'))
		return false;
	op->is_signed = size < 0;
	if (size < -8 || size > 8)
		return false;
	op->size = (uint8_t)(size < 0 ? -size : size);
	return op->size == 1 || op->size == 2 || op->size == 4 || op->size == 8;
}

/* Blanks end an operand, but not between brackets. */
static const char *end_operand(const char *at)
{
	int depth = 0;

	for (; *at && (*at != ' ' || depth > 0); at++)
		depth += *at == '[' || *at == '(' ? 1 : *at == ']' || *at == ')' ? -1 : 0;
	return at;
}

static struct wp_usdt_operand read_operand(const char *text, const char *end, bool arm64)
{
	struct wp_usdt_operand ret = {
		.operand = {.base = WP_OPERAND_NO_REG, .index = WP_OPERAND_NO_REG},
		.text = text,
		.text_len = (size_t)(end - text),
	};
	struct scan s = {text, end};

	ret.known = take_size(&s, &ret.operand) &&
		    (arm64 ? read_arm64(&s, &ret.operand) : read_x86(&s, &ret)) && s.at == s.end;
	return ret;
}

size_t wp_usdt_operands(const char *arguments, bool arm64, struct wp_usdt_operand ret[WP_USDT_ARGS])
{
	size_t n = 0;

	while (n < WP_USDT_ARGS) {
		const char *end;

		arguments += strspn(arguments, " ");
		if (!*arguments)
			break;
		end = end_operand(arguments);
		ret[n++] = read_operand(arguments, end, arm64);
		arguments = end;
	}
	return n;
}
