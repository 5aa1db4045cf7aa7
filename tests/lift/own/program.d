import core.stdc.stdio;
class Own : Exception { int n; this(int n) { super("own"); this.n = n; } }
int work(int n) { if (n > 2) throw new Own(n); if (n == 2) throw new Exception("plain"); return n; }
struct S { int n; ~this() { printf("drop %d\n", n); } }
int f(int n) { auto s = S(n); scope(failure) printf("failure %d\n", n); return work(n) + 1; }
extern(C) int main2() {
  foreach (i; 1 .. 5) {
    try { printf("ok %d\n", f(i)); }
    catch (Own e) { printf("own %d\n", e.n); }
    catch (Exception e) { printf("exception %.*s\n", cast(int)e.msg.length, e.msg.ptr); }
    finally { printf("finally\n"); }
  }
  return 0;
}
int main() { return main2(); }
