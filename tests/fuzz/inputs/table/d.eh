# D, as ldc2 1.30 compiles it
personality _d_eh_personality
runtime     circ 68
catch       _d_eh_enter_catch
resume      _Unwind_Resume
compare     d_compare
