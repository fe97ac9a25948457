/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Parameters of a controller. Each is declared once, with its name in Bentpipe's catalogue, default, scale and range:
 *
 *   PARAMETER(beta_q16, "beta", 0.7, 65536, 0.1, 0.95, "none");
 *   FLAG(fast_convergence, "fast_convergence", true);
 *   CHOICE(rho_rtt, "rho_rtt", 1, "srtt min");
 *
 * Each declaration makes a `const volatile __u32` in .rodata, which a loader sets before loading the program to
 * round(value * scale). The initial value in .rodata is the default. Name, scale, range and unit stand in a BTF
 * declaration tag of the variable; its words are separated by spaces:
 *
 *   "parameter beta 65536 0.1 0.95 none"     name, scale, smallest value, largest value, unit of the value
 *   "flag fast_convergence"                  0 or 1
 *   "choice rho_rtt srtt min"                the variable is the index of the word
 */
#ifndef BENTPIPE_PARAMETERS_H
#define BENTPIPE_PARAMETERS_H

#ifdef BENTPIPE_NATIVE
/* The runner lists and sets the variables of this section. */
struct parameter {
	const char *variable;
	const char *tag;
	u32 *value;
};
#define TAGGED(variable_, tag_, value_)                                                   \
	static volatile u32 variable_ = (value_);                                         \
	static const struct parameter parameter_##variable_                               \
		__attribute__((section("parameters"), used, aligned(8))) = { #variable_, tag_, (u32 *)&variable_ }
#else
#define TAGGED(variable_, tag_, value_) \
	const volatile u32 variable_ __attribute__((btf_decl_tag(tag_))) = (value_)
#endif

#define PARAMETER(variable, name, value, scale, min, max, unit) \
	TAGGED(variable, "parameter " name " " #scale " " #min " " #max " " unit, (u32)((value) * (scale) + 0.5))
#define FLAG(variable, name, value) TAGGED(variable, "flag " name, value)
#define CHOICE(variable, name, index, words) TAGGED(variable, "choice " name " " words, index)

#endif
