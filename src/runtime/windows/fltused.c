/* Objects with floating point refer to it; once it pulled in the formatting of floats. */
extern int _fltused;
int _fltused = 0x9875;
