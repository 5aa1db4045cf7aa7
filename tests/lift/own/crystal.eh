# Crystal, as crystal 1.6 compiles it: every pad takes the exception, and throws it again where it only cleans up
personality __crystal_personality
runtime     circ 67
cleanups    crystal_caught
selector    crystal_type_id
