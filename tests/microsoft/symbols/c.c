/* The C of c.cir, name by name. */
int common;
short common_array[8];
double common_double;
int function(void)
{
	return 1;
}
int variable = 2;
extern int function_alias(void) __attribute__((alias("function")));
extern int variable_alias __attribute__((alias("variable")));
extern int weak_alias(void) __attribute__((weak, alias("function")));
static int hidden_alias(void) __attribute__((alias("function")));
int (*address)(void) = hidden_alias;
