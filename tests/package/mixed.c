#include <stdio.h>

int answer(void); /* answer.cir */

int main(void)
{
	printf("%d\n", answer());
	return 0;
}
