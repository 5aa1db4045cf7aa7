// Catches what thrower.cir throws. There may be no headers.
extern "C" int puts(const char *);
extern "C" void fail(int code);

int main()
{
	try {
		fail(41);
	} catch (int code) {
		return puts(code == 41 ? "caught 41" : "caught another one") < 0;
	}
	return 1;
}
