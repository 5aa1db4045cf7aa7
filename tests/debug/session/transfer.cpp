// The program of a session with gdb. With -DBY_CIRC, attempt() is transfer.cir, which says where in this file its code comes from.
#include <cstdio>

struct Account {
	unsigned locks : 4;
	int balance : 20;
	int limit;
};

struct Lock {
	Account *account;
	explicit Lock(Account *a);
	~Lock();
};

void check(int balance, int amount);

#ifndef BY_CIRC
int attempt(Account *from, int amount)
{
	int left = -1;
	try {
		Lock lock(from);
		int before = lock.account->balance - from->limit;
		check(before, amount);
		left = before - amount;
	} catch (int missing) {
		int before = amount - missing;
		left = before - missing;
	}
	return left;
}
#else
int attempt(Account *from, int amount);
#endif

Lock::Lock(Account *a) : account(a)
{
	account->locks++;
}

Lock::~Lock()
{
	account->locks--;
}

void check(int balance, int amount)
{
	if (amount > balance)
		throw amount - balance;
}

int main()
{
	Account account = {0, 120, 20};
	std::printf("left %d\n", attempt(&account, 30));
	std::printf("left %d\n", attempt(&account, 130));
}
