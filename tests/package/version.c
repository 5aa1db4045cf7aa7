/* A stranger's program: says which libcirc it runs with. */
#include <circ/circ.h>

#include <stdio.h>

int main(void)
{
	printf("circ %s\n", circ_version());
	return 0;
}
