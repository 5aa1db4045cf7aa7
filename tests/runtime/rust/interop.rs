//! Rust's panics through functions of circ, and circ's exceptions through Rust; tests/runtime/rust.py.
use std::panic;

type Code = unsafe extern "C-unwind" fn();

extern "C-unwind" {
    fn raise(); // an object 5
    fn through(run: Code);
    fn asked(run: Code);
    fn handled(run: Code, handler: Code);
    fn thrown_on(run: Code);
}

#[no_mangle]
pub extern "C" fn cleanup(n: i32) {
    println!("  cleanup {}", n);
}

#[no_mangle]
pub extern "C" fn caught(n: i32) {
    println!("  caught {}", n);
}

#[no_mangle]
pub extern "C" fn done(n: i32) {
    println!("  done {}", n);
}

#[no_mangle]
pub extern "C" fn saw_int(n: i32) {
    println!("  int {}", n);
}

#[no_mangle]
pub unsafe extern "C" fn released(object: *const i32) {
    println!("  released {}", *object);
}

struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        println!("  dropped");
    }
}

extern "C-unwind" fn nothing() {}

extern "C-unwind" fn refuse() {
    let _guard = Guard;
    panic::panic_any(String::from("message 6"));
}

extern "C-unwind" fn refuse_through() {
    unsafe { through(refuse) }
}

extern "C-unwind" fn refuse_again() {
    unsafe { thrown_on(refuse_through) }
}

extern "C-unwind" fn raise_through() {
    let _guard = Guard;
    unsafe { through(raise) }
}

fn catch(run: Code) {
    match panic::catch_unwind(|| unsafe { asked(run) }) {
        Ok(()) => println!("  nothing"),
        Err(payload) => println!("  payload {}", payload.downcast::<String>().unwrap()),
    }
}

fn main() {
    panic::set_hook(Box::new(|_| {}));
    if std::env::args().count() > 1 {
        println!("Rust's caught by circ");
        unsafe { handled(refuse_through, nothing) }
        return;
    }
    println!("Rust's through a cleanup, a finally and a filter");
    catch(refuse_through);
    println!("Rust's caught and thrown on by circ");
    catch(refuse_again);
    println!("circ's through Rust");
    unsafe { handled(raise_through, nothing) }
    println!("end");
}
