#pragma once
extern "C" void Sleep(unsigned long milliseconds);
static inline int usleep(unsigned microseconds)
{
	Sleep((microseconds + 999) / 1000);
	return 0;
}
