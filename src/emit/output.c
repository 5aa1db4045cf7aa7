#include "emit/output.h"

#include "emit/emit.h"
#include "emit/signal_hold.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	LINKS_MAX = 40,  /* symbolic links followed, as Linux does */
	NAMES_MAX = 100, /* temporary names tried */
};

/* One file on its way; steps return false with errno set. */
typedef struct Output {
	char *target;    /* the path behind all symbolic links */
	char *folder;    /* that holds it */
	char *temporary; /* a name in folder, or NULL */
	int fd;
	mode_t mode;   /* of a new file, less the umask */
	bool replaces; /* a regular file of that name is there: `old` */
	struct stat old;
} Output;

static bool write_all(int fd, Str bytes)
{
	for (size_t done = 0; done < bytes.len;) {
		ssize_t n = write(fd, bytes.data + done, bytes.len - done);
		if (n >= 0) {
			done += (size_t)n;
		} else if (errno == EAGAIN) { /* a pipe that somebody set to non-blocking */
			struct pollfd ready = {.fd = fd, .events = POLLOUT};
			poll(&ready, 1, -1);
		} else if (errno != EINTR) {
			return false;
		}
	}
	return true;
}

/* The folder's part of a path, with its last slash: "a/b" gives "a/", "b" gives "". */
static int folder_len(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (int)(slash - path) + 1 : 0;
}

/* Where `link` leads in one step, malloc'ed; NULL when it is no link, or with errno ENOMEM. */
static char *follow(const char *link)
{
	char to[4096], *path = NULL;
	ssize_t n = readlink(link, to, sizeof to - 1);
	if (n < 0)
		return NULL;
	to[n] = '\0';
	if (to[0] == '/')
		return strdup(to);
	return asprintf(&path, "%.*s%s", folder_len(link), link, to) < 0 ? NULL : path;
}

/* The open descriptor that a path like /dev/fd/1 stands for; -1: it is another path. What the link there says is
 * no path where the descriptor is a pipe or a deleted file; and where it is a file, others write to
 * that descriptor, too, as in (echo head; circ -o /dev/stdout …) > file. */
static int descriptor_of(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		size_t len = strlen(folders[i]);
		char *end;
		if (strncmp(path, folders[i], len) != 0 || path[len] < '0' || path[len] > '9')
			continue;
		errno = 0;
		long fd = strtol(path + len, &end, 10);
		return *end == '\0' && !errno && fd <= INT_MAX ? (int)fd : -1;
	}
	return -1;
}

/* Also finds the name that a dangling link stands for, which realpath() does not. */
static bool resolve(Output *o, const char *path)
{
	if (!(o->target = strdup(path)))
		return false;
	for (int links = 0;; links++) {
		char *next = descriptor_of(o->target) < 0 ? follow(o->target) : NULL;
		if (!next) /* what is wrong with the path, if anything, shows when it is used */
			return errno != ENOMEM || descriptor_of(o->target) >= 0;
		free(o->target);
		o->target = next;
		if (links == LINKS_MAX) {
			errno = ELOOP;
			return false;
		}
	}
}

/* The permissions of the file that is replaced; a program is executable by whoever could execute a new one. */
static bool set_permissions(const Output *o)
{
	struct stat fresh;
	if (!o->replaces)
		return true;
	if (fstat(o->fd, &fresh) != 0)
		return false;
	mode_t mode = (o->old.st_mode & 0777) | (fresh.st_mode & 0111);
	return mode == (fresh.st_mode & 0777) || fchmod(o->fd, mode) == 0;
}

static bool try_name(Output *o, const char *name, const char *unnamed, mode_t mode)
{
	if (unnamed)
		return linkat(AT_FDCWD, unnamed, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
	o->fd = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
	return o->fd >= 0;
}

/* Finds a free name beside the target, for the unnamed file at /proc/self/fd/N, or for a
 * file that it creates. */
static bool name_temporary(Output *o, const char *unnamed, mode_t mode)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	unsigned salt = (unsigned)now.tv_nsec ^ (unsigned)now.tv_sec << 20;
	for (unsigned i = 0; i < NAMES_MAX; i++) {
		char *name;
		if (asprintf(&name, "%s/.circ-%x-%x", o->folder, (unsigned)getpid(), salt + i) < 0)
			return false;
		if (try_name(o, name, unnamed, mode)) {
			o->temporary = name;
			return true;
		}
		int error = errno;
		free(name);
		errno = error;
		if (errno != EEXIST)
			return false;
	}
	return false;
}

static bool rename_over(const Output *o)
{
	return rename(o->temporary, o->target) == 0;
}

/* Written first, then linked: to the target at once when nothing is there. */
static bool write_unnamed(Output *o, Str bytes)
{
#ifdef O_TMPFILE
	o->fd = open(o->folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, o->mode);
#endif
	if (o->fd < 0 || !write_all(o->fd, bytes) || !set_permissions(o))
		return false;
	char self[64];
	snprintf(self, sizeof self, "/proc/self/fd/%d", o->fd);
	if (!o->replaces) {
		if (linkat(AT_FDCWD, self, AT_FDCWD, o->target, AT_SYMLINK_FOLLOW) == 0)
			return true;
		if (errno != EEXIST)
			return false;
	}
	return name_temporary(o, self, 0) && rename_over(o);
}

/* The way for systems without unnamed files, and the second try where linking one did not work out. */
static bool write_named(Output *o, Str bytes)
{
	if (!name_temporary(o, NULL, o->mode) || !write_all(o->fd, bytes) || !set_permissions(o))
		return false;
	/* closed before it is renamed: a network file system may tell of a full disk only now */
	int fd = o->fd;
	o->fd = -1;
	return close(fd) == 0 && rename_over(o);
}

static void drop(Output *o)
{
	int error = errno;
	if (o->fd >= 0)
		close(o->fd);
	if (o->temporary)
		unlink(o->temporary);
	free(o->temporary);
	o->temporary = NULL;
	o->fd = -1;
	errno = error;
}

static bool replace(Output *o, Str bytes)
{
	int len = folder_len(o->target);
	if (asprintf(&o->folder, "%.*s", len ? len : 1, len ? o->target : ".") < 0)
		return false;
	SignalHold hold;
	signal_hold(&hold);
	bool ok = write_unnamed(o, bytes);
	if (!ok) {
		drop(o);
		ok = write_named(o, bytes);
	}
	if (!ok)
		drop(o);
	else if (o->fd >= 0)
		/* an unnamed file, which has its name by now; open for writing, it could not be run */
		close(o->fd);
	signal_release(&hold);
	return ok;
}

static bool write_directly(const char *path, Str bytes)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return false;
	bool ok = write_all(fd, bytes);
	int saved = errno;
	if (close(fd) != 0)
		return false;
	errno = saved;
	return ok;
}

static bool write_path(Output *o, const char *path, Str bytes)
{
	if (!resolve(o, path))
		return false;
	int fd = descriptor_of(o->target);
	if (fd >= 0)
		return write_all(fd, bytes);
	if (stat(o->target, &o->old) != 0)
		return errno == ENOENT && replace(o, bytes);
	if (S_ISDIR(o->old.st_mode)) {
		errno = EISDIR;
		return false;
	}
	if (!S_ISREG(o->old.st_mode))
		return write_directly(o->target, bytes);
	o->replaces = true;
	return faccessat(AT_FDCWD, o->target, W_OK, AT_EACCESS) == 0 && replace(o, bytes);
}

bool output_write(const char *path, Str bytes, bool executable, Diags *d)
{
	Output o = {.fd = -1, .mode = executable ? 0777 : 0666};
	bool standard = strcmp(path, "-") == 0;
	bool ok = standard ? write_all(STDOUT_FILENO, bytes) : write_path(&o, path, bytes);
	int error = errno;
	free(o.temporary);
	free(o.folder);
	free(o.target);
	if (ok)
		return true;
	if (standard)
		diag_failure(d, "cannot write to standard output: %s", strerror(error));
	else
		diag_failure(d, "cannot write '%s': %s", path, strerror(error));
	return false;
}

bool emit_bytes(const char *path, Str bytes, Diags *d)
{
	return output_write(path, bytes, false, d);
}

int output_anonymous(void)
{
#ifdef MFD_CLOEXEC
	int fd = memfd_create("circ", MFD_CLOEXEC);
	if (fd >= 0)
		return fd;
#endif
	char name[] = "/tmp/circ-XXXXXX";
	SignalHold hold;
	signal_hold(&hold);
	int named = mkstemp(name);
	if (named >= 0)
		unlink(name);
	signal_release(&hold);
	return named;
}

bool output_replaces(const char *output, const char *input)
{
	struct stat out, in;
	return strcmp(output, "-") != 0 && stat(output, &out) == 0 && S_ISREG(out.st_mode) &&
	       stat(input, &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

Str output_map(int fd)
{
	struct stat st;
	if (fstat(fd, &st) != 0)
		return (Str){0};
	if (st.st_size == 0)
		return STR("");
	void *p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	return p == MAP_FAILED ? (Str){0} : (Str){p, (size_t)st.st_size};
}

void output_unmap(Str bytes)
{
	if (bytes.len)
		munmap((void *)(uintptr_t)bytes.data, bytes.len);
}
