/* Compiles a file of CIR for Windows and links it, through the library: it finds its runtime beside itself. */
#include <circ/circ.h>

#include <stdio.h>

int main(int argc, char **argv)
{
	static char text[4096];
	FILE *in = argc == 3 ? fopen(argv[1], "r") : NULL;
	if (!in)
		return 2;
	size_t len = fread(text, 1, sizeof text, in);
	fclose(in);
	const char *triple = "x86_64-pc-windows-msvc";
	char object[4096];
	snprintf(object, sizeof object, "%s.obj", argv[2]);
	const char *inputs[] = {object};
	CircModule *m = circ_module_parse(argv[1], text, len, NULL, NULL);
	bool ok =
	    m && circ_module_emit_file(m, &(CircEmitOptions){.triple = triple}, CIRC_OBJECT, object) &&
	    circ_link(&(CircLinkOptions){.triple = triple, .inputs = inputs, .ninputs = 1, .output = argv[2]},
	              NULL, NULL);
	circ_module_destroy(m);
	if (ok)
		puts("linked");
	return ok ? 0 : 1;
}
