#include "e2e.h"

#ifdef TWIN
#include <cstdlib>

enum Code { Busy, Closed, Poor, Full };

struct Failure {
	int code;
	int account;
};

struct Insufficient : Failure {
	long long missing;
	Insufficient(int account, long long missing) : Failure{Poor, account}, missing(missing) {}
};

[[noreturn]] static void fail(int code, int account)
{
	throw Failure{code, account};
}

[[noreturn]] static void fail_poor(int account, long long missing)
{
	throw Insufficient(account, missing);
}

struct Account {
	const char *name;
	long long balance;
	int savings; // the account that helps out, or -1
	int closed;
	int busy; // how often it cannot be locked
	int locks;
};

struct Order {
	int from, to;
	long long amount;
};

static Account accounts[] = {
    {"house", 0, -1, 0, 0, 0},   {"anna", 50000, 2, 0, 0, 0}, {"nest", 20000, -1, 0, 0, 0},
    {"bert", 1000, -1, 0, 2, 0}, {"carl", 700, -1, 1, 0, 0},  {"dora", 9000, -1, 0, 4, 0},
};

enum { Accounts = 6, Capacity = 6 };

namespace {
struct Bank {
	int posted = 0;
	Order *journal = static_cast<Order *>(malloc(Capacity * sizeof(Order)));

	~Bank()
	{
		audit();
		free(journal);
	}
	void audit()
	{
		long long total = 0;
		for (int i = 0; i < Accounts; i++) {
			event("%s has %d, locked %d", accounts[i].name, static_cast<int>(accounts[i].balance),
			      accounts[i].locks);
			total += accounts[i].balance;
		}
		event("total %d", static_cast<int>(total));
		const Order *entries = journal;
		for (int i = 0, n = posted; i < n; i++)
			event("%s to %s: %d", accounts[entries[i].from].name, accounts[entries[i].to].name,
			      static_cast<int>(entries[i].amount));
	}
};

struct Lock {
	Account &account;
	explicit Lock(int i) : account(accounts[i])
	{
		point("lock");
		if (account.busy > 0) {
			account.busy--;
			fail(Busy, i);
		}
		account.locks++;
	}
	~Lock()
	{
		account.locks--;
	}
};

// Moves an amount back, unless all went well.
struct Undo {
	int i;
	long long amount;
	bool armed = true;
	Undo(int i, long long amount) : i(i), amount(amount) {}
	~Undo()
	{
		if (!armed)
			return;
		event("undo %d at %s", static_cast<int>(amount), accounts[i].name);
		accounts[i].balance += amount;
	}
};

} // namespace

static void withdraw(int i, long long amount)
{
	Account &account = accounts[i];
	point("withdraw");
	long long missing = amount - account.balance;
	if (missing > 0) {
		if (account.savings < 0)
			fail_poor(i, missing);
		try {
			withdraw(account.savings, missing);
		} catch (const Insufficient &failure) {
			event("savings %s lack %d", accounts[failure.account].name,
			      static_cast<int>(failure.missing));
			fail_poor(i, missing);
		}
		account.balance += missing;
	}
	account.balance -= amount;
}

static void deposit(int i, long long amount)
{
	point("deposit");
	if (accounts[i].closed)
		fail(Closed, i);
	accounts[i].balance += amount;
}

static void post(Bank &bank, const Order &order)
{
	point("post");
	if (bank.posted == Capacity)
		fail(Full, order.from);
	bank.journal[bank.posted++] = order;
}

static void transfer(Bank &bank, const Order &order)
{
	Lock from(order.from), to(order.to);
	long long fee = order.amount / 100, all = order.amount + fee;
	withdraw(order.from, all);
	Undo withdrawn(order.from, all);
	deposit(order.to, order.amount);
	Undo deposited(order.to, -order.amount);
	deposit(0, fee);
	Undo paid(0, -fee);
	post(bank, order);
	withdrawn.armed = deposited.armed = paid.armed = false;
}

namespace {
struct Snapshot {
	Bank &bank;
	int posted;
	long long *balances = static_cast<long long *>(malloc(Accounts * sizeof(long long)));
	bool armed = true;

	explicit Snapshot(Bank &bank) : bank(bank), posted(bank.posted)
	{
		for (int i = 0; i < Accounts; i++)
			balances[i] = accounts[i].balance;
	}
	~Snapshot()
	{
		if (armed) {
			event("roll back %d", bank.posted - posted);
			for (int i = 0; i < Accounts; i++)
				accounts[i].balance = balances[i];
			bank.posted = posted;
		}
		free(balances);
	}
};

} // namespace

static void batch(Bank &bank, const Order *orders)
{
	Snapshot snapshot(bank);
	for (int i = 0;; i++) {
		if (orders[i].amount == 0)
			continue;
		if (orders[i].amount < 0)
			break;
		transfer(bank, orders[i]);
	}
	snapshot.armed = false;
}

static int attempt(Bank &bank, const char *name, const Order *orders)
{
	for (int tries = 1;; tries++) {
		try {
			batch(bank, orders);
			event("%s: done", name);
			return tries;
		} catch (const Insufficient &failure) {
			event("%s: %s lacks %d", name, accounts[failure.account].name,
			      static_cast<int>(failure.missing));
			return 0;
		} catch (const Failure &failure) {
			if (failure.code == Busy && tries < 3) {
				event("%s: %s is busy", name, accounts[failure.account].name);
				continue;
			}
			event("%s: failure %d of %s", name, failure.code, accounts[failure.account].name);
			return 0;
		} catch (...) {
			event("%s: given up", name);
			throw;
		}
	}
}

static const Order rent[] = {{1, 2, 30000}, {1, 5, 0}, {2, 1, 1500}, {0, 0, -1}};
static const Order wages[] = {{2, 1, 100}, {1, 3, 40000}, {0, 0, -1}};
static const Order gifts[] = {{1, 2, 500}, {2, 4, 500}, {0, 0, -1}};
static const Order debts[] = {{2, 1, 250}, {1, 2, 90000}, {0, 0, -1}};
static const Order loans[] = {{1, 2, 400}, {2, 5, 400}, {0, 0, -1}};
static const Order small[] = {{1, 2, 100}, {2, 1, 100}, {1, 2, 100}, {2, 1, 100}, {0, 0, -1}};

void test()
{
	Bank bank;
	int tries = 0;
	tries += attempt(bank, "rent", rent);
	tries += attempt(bank, "wages", wages);
	tries += attempt(bank, "gifts", gifts);
	tries += attempt(bank, "debts", debts);
	tries += attempt(bank, "loans", loans);
	tries += attempt(bank, "small", small);
	event("tries %d", tries);
}
#endif
