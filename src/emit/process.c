#include "emit/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum {
	LOOK_MS = 50,    /* how often the held signals are looked at */
	GRACE_MS = 1000, /* from asking to end to killing */
};

/* The child holds the writing end of a pipe: the end of the child ends the wait at once. */
typedef struct Child {
	pid_t pid;
	int alive; /* reading end, or -1 once it tells nothing any more */
} Child;

typedef struct SpawnSetup {
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
} SpawnSetup;

/* What a child is given. */
typedef struct Given {
	const ProcessFiles *files; /* NULL: nothing */
	const SignalHold *hold;
	int alive; /* writing end of the pipe */
} Given;

static int set_up_files(SpawnSetup *s, const ProcessFiles *files)
{
	if (!files)
		return posix_spawn_file_actions_addopen(&s->files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	int error = posix_spawn_file_actions_adddup2(&s->files, files->in, STDIN_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&s->files, files->out, STDOUT_FILENO);
	return error ? error : posix_spawn_file_actions_adddup2(&s->files, files->err, STDERR_FILENO);
}

static int set_up(SpawnSetup *s, const Given *g)
{
	/* dup2 onto itself takes close-on-exec away. */
	int error = posix_spawn_file_actions_adddup2(&s->files, g->alive, g->alive);
	if (!error)
		error = set_up_files(s, g->files);
	if (!error)
		error = posix_spawnattr_setflags(&s->attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	if (!error)
		error = posix_spawnattr_setpgroup(&s->attr, 0);
	return error ? error : posix_spawnattr_setsigmask(&s->attr, &g->hold->former);
}

static int spawn(const char *path, const char *const *argv, const Given *g, pid_t *pid)
{
	SpawnSetup s;
	int error = posix_spawn_file_actions_init(&s.files);
	if (error)
		return error;
	error = posix_spawnattr_init(&s.attr);
	if (!error) {
		error = set_up(&s, g);
		if (!error)
			error = posix_spawn(pid, path, &s.files, &s.attr, (char *const *)(uintptr_t)argv,
			                    environ);
		posix_spawnattr_destroy(&s.attr);
	}
	posix_spawn_file_actions_destroy(&s.files);
	return error;
}

static void pause_for(Child *c, int ms)
{
	struct pollfd alive = {.fd = c->alive, .events = POLLIN};
	if (c->alive < 0) {
		nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	} else if (poll(&alive, 1, ms) > 0) {
		/* it ends now, or it is a wrapper that closed the pipe: from here on by the clock */
		close(c->alive);
		c->alive = -1;
	}
}

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static ProcessEnd await(Child *c, const SignalHold *hold)
{
	ProcessEnd end = {0};
	int status;
	pid_t got;
	int64_t kill_at = 0;
	while ((got = waitpid(c->pid, &status, WNOHANG)) == 0 || (got < 0 && errno == EINTR)) {
		if (!end.interrupted && (end.interrupted = signal_pending(hold)) != 0) {
			kill(-c->pid, SIGTERM);
			kill_at = now_ms() + GRACE_MS;
		} else if (kill_at && now_ms() >= kill_at) {
			kill(-c->pid, SIGKILL);
			kill_at = 0;
		}
		pause_for(c, LOOK_MS);
	}
	if (end.interrupted) /* what it started and left behind */
		kill(-c->pid, SIGKILL);
	if (got < 0)
		end.error = errno;
	else if (WIFSIGNALED(status))
		end.signal = WTERMSIG(status);
	else
		end.status = WEXITSTATUS(status);
	return end;
}

ProcessEnd process_run(const char *path, const char *const *argv, const ProcessFiles *files,
                       const SignalHold *hold)
{
	int alive[2];
	if (pipe2(alive, O_CLOEXEC) != 0)
		return (ProcessEnd){.error = errno};
	Child child = {.alive = alive[0]};
	Given given = {files, hold, alive[1]};
	int error = spawn(path, argv, &given, &child.pid);
	close(alive[1]);
	ProcessEnd end = {.error = error};
	if (!error)
		end = await(&child, hold);
	if (child.alive >= 0)
		close(child.alive);
	return end;
}

static bool is_program(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

const char *process_find(const char *name, Arena *a)
{
	const char *folders = getenv("PATH");
	if (!folders)
		folders = "/usr/local/bin:/usr/bin:/bin";
	while (*folders) {
		size_t n = strcspn(folders, ":");
		const char *path = arena_printf(a, "%.*s/%s", n ? (int)n : 1, n ? folders : ".", name);
		if (is_program(path))
			return path;
		folders += n + (folders[n] == ':');
	}
	return NULL;
}
