/* SPDX-License-Identifier: MIT */
/*
 * printf of device code: the format with one 8-byte slot per argument.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/softgpu/internal.h"

#define LINE_B 1024u /* of one call, unless it needs more */
#define SPEC_B 32u

/* Output that grows: one call's text goes to stdout as a whole. */
struct output {
	char *text;
	size_t at, room_b;
	char first[LINE_B];
	bool failed;
};

static bool reserve(struct output *output, size_t more_b)
{
	size_t room_b = output->room_b;
	char *grown;

	while (output->at + more_b + 1 > room_b)
		room_b *= 2;
	if (room_b == output->room_b)
		return true;
	grown = malloc(room_b);
	if (!grown) {
		output->failed = true;
		return false;
	}
	memcpy(grown, output->text, output->at);
	if (output->text != output->first)
		free(output->text);
	output->text = grown;
	output->room_b = room_b;
	return true;
}

static void put(struct output *output, const char *text, size_t size_b)
{
	if (!reserve(output, size_b))
		return;
	memcpy(output->text + output->at, text, size_b);
	output->at += size_b;
}

/* One conversion as the C library prints it; `stars` are its width and precision arguments. */
#define PUT_VALUE(output, spec, stars, star_count, value)                                          \
	do {                                                                                       \
		char small_[LINE_B];                                                               \
		int n_ = star_count == 0 ? snprintf(small_, sizeof(small_), spec, value)           \
			 : star_count == 1                                                         \
				 ? snprintf(small_, sizeof(small_), spec, stars[0], value)         \
				 : snprintf(small_, sizeof(small_), spec, stars[0], stars[1],      \
					    value);                                                \
		if (n_ < 0) {                                                                      \
			output->failed = true;                                                     \
		} else if ((size_t)n_ < sizeof(small_)) {                                          \
			put(output, small_, (size_t)n_);                                           \
		} else if (reserve(output, (size_t)n_)) {                                          \
			char *at_ = output->text + output->at;                                     \
			if (star_count == 0)                                                       \
				snprintf(at_, (size_t)n_ + 1, spec, value);                        \
			else if (star_count == 1)                                                  \
				snprintf(at_, (size_t)n_ + 1, spec, stars[0], value);              \
			else                                                                       \
				snprintf(at_, (size_t)n_ + 1, spec, stars[0], stars[1], value);    \
			output->at += (size_t)n_;                                                  \
		}                                                                                  \
	} while (0)

/* Bits of an integer argument that count. */
static uint64_t cut(uint64_t value, const char *length, bool is_signed)
{
	if (!strcmp(length, "hh"))
		return is_signed ? (uint64_t)(int64_t)(int8_t)value : (uint8_t)value;
	if (!strcmp(length, "h"))
		return is_signed ? (uint64_t)(int64_t)(int16_t)value : (uint16_t)value;
	if (!*length)
		return is_signed ? (uint64_t)(int64_t)(int32_t)value : (uint32_t)value;
	return value;
}

struct spec {
	char text[SPEC_B]; /* without length and conversion */
	size_t text_b;
	char length[3];
	char conversion;
	uint32_t stars;
};

/* Parses behind the '%'; NULL: not a conversion. */
static const char *parse_spec(const char *at, struct spec *spec)
{
	size_t n = 0;

	memset(spec, 0, sizeof(*spec));
	spec->text[spec->text_b++] = '%';
	while (*at && strchr("-+ #0123456789.*", *at)) {
		if (spec->text_b > SPEC_B - 6)
			return NULL;
		spec->stars += *at == '*';
		spec->text[spec->text_b++] = *at++;
	}
	while (*at && strchr("hlLjztq", *at)) {
		if (n < 2)
			spec->length[n++] = *at;
		at++;
	}
	if (!*at || spec->stars > 2)
		return NULL;
	spec->conversion = *at;
	return at + 1;
}

static void finish_spec(struct spec *spec, const char *length, char conversion)
{
	size_t length_b = strlen(length);

	memcpy(spec->text + spec->text_b, length, length_b);
	spec->text[spec->text_b + length_b] = conversion;
	spec->text[spec->text_b + length_b + 1] = '\0';
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
/* False: unknown conversion. */
static bool print_value(struct output *output, struct spec *spec, const int stars[2], uint64_t slot)
{
	const char *text;
	double number;

	switch (spec->conversion) {
	case 'd':
	case 'i':
		finish_spec(spec, "ll", 'd');
		PUT_VALUE(output, spec->text, stars, spec->stars,
			  (long long)cut(slot, spec->length, true));
		return true;
	case 'u':
	case 'o':
	case 'x':
	case 'X':
		finish_spec(spec, "ll", spec->conversion);
		PUT_VALUE(output, spec->text, stars, spec->stars,
			  (unsigned long long)cut(slot, spec->length, false));
		return true;
	case 'c':
		finish_spec(spec, "", 'c');
		PUT_VALUE(output, spec->text, stars, spec->stars, (int)slot);
		return true;
	case 'p':
		finish_spec(spec, "", 'p');
		PUT_VALUE(output, spec->text, stars, spec->stars, (void *)(uintptr_t)slot);
		return true;
	case 's':
		text = (const char *)(uintptr_t)slot;
		finish_spec(spec, "", 's');
		PUT_VALUE(output, spec->text, stars, spec->stars, text ? text : "(null)");
		return true;
	case 'f':
	case 'F':
	case 'e':
	case 'E':
	case 'g':
	case 'G':
	case 'a':
	case 'A':
		memcpy(&number, &slot, sizeof(number));
		finish_spec(spec, "", spec->conversion);
		PUT_VALUE(output, spec->text, stars, spec->stars, number);
		return true;
	default:
		return false;
	}
}
#pragma GCC diagnostic pop

int mt_sg_print(struct mt_dev_block *block, const char *format, const uint64_t *args,
		uint32_t count)
{
	struct output output = {.room_b = LINE_B};
	const char *percent, *next;
	uint32_t used = 0, i;
	struct spec spec;
	int stars[2] = {0, 0};

	(void)block;
	output.text = output.first;
	while ((percent = strchr(format, '%'))) {
		put(&output, format, (size_t)(percent - format));
		format = percent + 1;
		if (*format == '%') {
			put(&output, "%", 1);
			format++;
			continue;
		}
		next = parse_spec(format, &spec);
		if (!next || used + spec.stars >= count) {
			/* As it stands: there is nothing to print there. */
			put(&output, "%", 1);
			continue;
		}
		for (i = 0; i < spec.stars; i++)
			stars[i] = (int)args[used++];
		if (!print_value(&output, &spec, stars, args[used]))
			put(&output, percent, (size_t)(next - percent));
		used++;
		format = next;
	}
	put(&output, format, strlen(format));
	if (!output.failed && fwrite(output.text, 1, output.at, stdout) != output.at)
		output.failed = true;
	fflush(stdout);
	if (output.text != output.first)
		free(output.text);
	return output.failed ? -1 : (int)count;
}
