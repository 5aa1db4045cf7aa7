/* System calls of circ's own code that fail; the kernel has not done anything then. */
#include "fault.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* CALL(result, value of a failure, name, parameters, arguments) */
#define CALLS                                                                                                \
	CALL(ssize_t, -1, read, (int fd, void *data, size_t n), (fd, data, n))                               \
	CALL(ssize_t, -1, write, (int fd, const void *data, size_t n), (fd, data, n))                        \
	CALL(int, -1, fstat, (int fd, struct stat *st), (fd, st))                                            \
	CALL(int, -1, fchmod, (int fd, mode_t mode), (fd, mode))                                             \
	CALL(int, -1, linkat, (int from, const char *old, int to, const char *name, int flags),              \
	     (from, old, to, name, flags))                                                                   \
	CALL(int, -1, rename, (const char *from, const char *to), (from, to))                                \
	CALL(int, -1, memfd_create, (const char *name, unsigned flags), (name, flags))                       \
	CALL(char *, NULL, mkdtemp, (char *name), (name))                                                    \
	CALL(int, -1, mkdir, (const char *path, mode_t mode), (path, mode))                                  \
	CALL(int, -1, pipe2, (int fds[2], int flags), (fds, flags))                                          \
	CALL(void *, MAP_FAILED, mmap, (void *at, size_t n, int how, int flags, int fd, off_t offset),       \
	     (at, n, how, flags, fd, offset))

#define CALL(result, failure, name, parameters, arguments)                                                   \
	result __real_##name parameters;                                                                     \
	result __wrap_##name parameters;                                                                     \
	result __wrap_##name parameters                                                                      \
	{                                                                                                    \
		return fault_system_strikes() ? failure : __real_##name arguments;                           \
	}
CALLS

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_close(int fd);
int __wrap_close(int fd);
int __real_posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *files,
                       const posix_spawnattr_t *attr, char *const argv[], char *const env[]);
int __wrap_posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *files,
                       const posix_spawnattr_t *attr, char *const argv[], char *const env[]);

int __wrap_open(const char *path, int flags, ...)
{
	va_list ap;
	va_start(ap, flags);
	mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	return fault_system_strikes() ? -1 : __real_open(path, flags, mode);
}

/* The number is free in any case (close(2)). */
int __wrap_close(int fd)
{
	int result = __real_close(fd);
	return fault_system_strikes() ? -1 : result;
}

int __wrap_posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *files,
                       const posix_spawnattr_t *attr, char *const argv[], char *const env[])
{
	return fault_system_strikes() ? EIO : __real_posix_spawn(pid, path, files, attr, argv, env);
}
