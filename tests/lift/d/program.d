// Throws, cleans up and catches: by type, by a base, from a cleanup, out of a catch, and through a function without handlers.
extern (C) int printf(const char*, ...);

class Plain : Exception
{
}

class Numbered : Exception
{
	int number;
	this(int number)
	{
		this.number = number;
	}
}

class Deep : Numbered
{
	this(int number)
	{
		super(number);
	}
}

struct Guard
{
	int number;
	~this()
	{
		printf("close %d\n", number);
	}
}

int work(int n)
{
	if (n == 2)
		throw new Plain;
	if (n == 3)
		throw new Numbered(30);
	if (n >= 4)
		throw new Deep(n * 10);
	return n;
}

int guarded(int n)
{
	auto guard = Guard(n);
	scope (failure)
		printf("failure %d\n", n);
	return work(n) + 1;
}

int again(int n)
{
	try
		return guarded(n);
	catch (Deep e)
	{
		printf("deep %d\n", e.number);
		if (n == 5)
			throw e;
		return -1;
	}
	finally
		printf("finally %d\n", n);
}

extern (C) int main()
{
	foreach (i; 1 .. 6)
	{
		try
			printf("result %d\n", again(i));
		catch (Numbered e)
			printf("numbered %d\n", e.number);
		catch (Exception e)
			printf("exception\n");
	}
	printf("end\n");
	return 0;
}
