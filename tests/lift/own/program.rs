#[inline(never)]
fn work(n: i32) -> i32 { if n > 2 { panic!("work {}", n) } n }
struct D(i32);
impl Drop for D { fn drop(&mut self) { println!("drop {}", self.0) } }
fn f(n: i32) -> i32 { let _d = D(n); work(n) + 1 }
fn main() {
    for i in 1..5 {
        match std::panic::catch_unwind(|| f(i)) {
            Ok(v) => println!("ok {}", v),
            Err(e) => println!("caught {}", e.downcast_ref::<String>().map(|s| s.as_str()).unwrap_or("?")),
        }
    }
}
