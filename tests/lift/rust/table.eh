# Rust, as rustc 1.63 compiles it: std's catch_unwind() is given the exception by the pad
personality rust_eh_personality
runtime     circ 82
pads        rust_caught
