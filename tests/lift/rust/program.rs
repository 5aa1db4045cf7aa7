// Throws, cleans up and catches, without the standard library: the runtime is runtime.c.
#![no_std]
#![no_main]
#![feature(lang_items, core_intrinsics)]

extern "C" {
    fn say(what: *const u8, number: i32);
    fn thrown(exception: *mut u8) -> i32;
}

extern "Rust" {
    fn throw_number(number: i32) -> !;
}

#[lang = "eh_personality"]
extern "C" fn rust_eh_personality() {}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    unsafe { throw_number(-1) }
}

struct Guard(i32);

impl Drop for Guard {
    fn drop(&mut self) {
        unsafe { say("close %d\n\0".as_ptr(), self.0) }
    }
}

#[inline(never)]
fn work(n: i32) -> i32 {
    if n == 2 {
        unsafe { throw_number(20) }
    }
    if n == 3 {
        panic!()
    }
    n
}

#[inline(never)]
fn guarded(n: i32) -> i32 {
    let _outer = Guard(n);
    let inner = Guard(n + 100);
    let result = work(n);
    drop(inner);
    result
}

struct Try {
    argument: i32,
    result: i32,
}

fn body(data: *mut u8) {
    let t = unsafe { &mut *(data as *mut Try) };
    t.result = guarded(t.argument);
}

fn caught(data: *mut u8, exception: *mut u8) {
    let t = unsafe { &mut *(data as *mut Try) };
    t.result = unsafe { thrown(exception) };
}

#[no_mangle]
pub extern "C" fn main() -> i32 {
    for n in 0..5 {
        let mut t = Try { argument: n, result: 0 };
        let data = &mut t as *mut Try as *mut u8;
        let failed = unsafe { core::intrinsics::r#try(body, data, caught) };
        unsafe { say(if failed != 0 { "caught %d\n\0" } else { "result %d\n\0" }.as_ptr(), t.result) }
    }
    unsafe { say("end %d\n\0".as_ptr(), 0) }
    0
}
