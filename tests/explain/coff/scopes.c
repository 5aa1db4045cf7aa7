/* __try in __try, with filters, with a constant, and __finally. */
void work(int);
void other(int);
int filter(int);

int nested(int n)
{
	__try {
		work(n);
		__try {
			work(2);
		} __finally {
			other(1);
		}
	} __except (filter(n)) {
		other(4);
	}
	return 2;
}

int all(int n)
{
	__try {
		work(n);
	} __except (1) {
		return 1;
	}
	return 0;
}
