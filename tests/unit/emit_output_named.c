/* Files on systems without unnamed ones (O_TMPFILE): the way through a name beside the target. */
#include "test.h"

#include <fcntl.h>
#undef O_TMPFILE
#undef MFD_CLOEXEC
#include "emit/output.c"

#include <dirent.h>
#include <sys/resource.h>

static char folder[] = "/tmp/circ-unit-XXXXXX";
static char message[1024];

static void remember(const CircDiagnostic *d, void *user)
{
	(void)user;
	snprintf(message, sizeof message, "%s", d->message);
}

static bool write_file(const char *name, const char *text, bool executable)
{
	Diags d;
	diag_init(&d, remember, NULL);
	message[0] = '\0';
	bool ok = output_write(name, str_of(text), executable, &d);
	EXPECT_EQ(d.errors, !ok);
	return ok;
}

static bool begin(void)
{
	strcpy(folder + sizeof folder - 7, "XXXXXX");
	return EXPECT(mkdtemp(folder) != NULL) && EXPECT(chdir(folder) == 0);
}

/* Removes the folder and returns how many files were in it. */
static int end(void)
{
	int n = 0;
	DIR *dir = opendir(folder);
	for (struct dirent *e; dir && (e = readdir(dir));)
		if (e->d_name[0] != '.' || (e->d_name[1] && e->d_name[1] != '.'))
			n += unlinkat(dirfd(dir), e->d_name, 0) == 0;
	closedir(dir);
	EXPECT(chdir("/") == 0 && rmdir(folder) == 0);
	return n;
}

static const char *content(const char *name)
{
	static char text[64];
	int fd = open(name, O_RDONLY);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
	text[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
	return text;
}

TEST(creates_and_replaces)
{
	if (!begin())
		return;
	EXPECT(write_file("x", "one", false));
	EXPECT_STR(content("x"), "one");
	EXPECT(write_file("x", "two", false));
	EXPECT_STR(content("x"), "two");
	EXPECT(write_file("empty", "", false));
	EXPECT_EQ(end(), 2);
}

TEST(permissions)
{
	struct stat st;
	if (!begin())
		return;
	mode_t mask = umask(027);
	EXPECT(write_file("x", "", false) && stat("x", &st) == 0);
	EXPECT_EQ(st.st_mode & 0777, 0640);
	EXPECT(write_file("x", "", true) && stat("x", &st) == 0);
	EXPECT_EQ(st.st_mode & 0777, 0750);
	EXPECT(chmod("x", 0604) == 0 && write_file("x", "", false) && stat("x", &st) == 0);
	EXPECT_EQ(st.st_mode & 0777, 0604);
	umask(mask);
	EXPECT_EQ(end(), 1);
}

TEST(failures_leave_nothing)
{
	if (!begin())
		return;
	EXPECT(!write_file("nowhere/x", "x", false));
	EXPECT_STR(message, "cannot write 'nowhere/x': No such file or directory");
	EXPECT(!write_file("/dev/full", "x", false));
	EXPECT_STR(message, "cannot write '/dev/full': No space left on device");
	EXPECT(!write_file(".", "x", false));
	EXPECT_STR(message, "cannot write '.': Is a directory");
	EXPECT_EQ(end(), 0);
}

TEST(a_write_that_fails_halfway_leaves_the_old_file)
{
	if (!begin())
		return;
	struct rlimit old, small = {.rlim_cur = 2};
	EXPECT(write_file("x", "old", false));
	signal(SIGXFSZ, SIG_IGN);
	EXPECT(getrlimit(RLIMIT_FSIZE, &old) == 0);
	small.rlim_max = old.rlim_max;
	setrlimit(RLIMIT_FSIZE, &small);
	bool ok = write_file("x", "new one", false);
	setrlimit(RLIMIT_FSIZE, &old);
	EXPECT(!ok);
	EXPECT_STR(message, "cannot write 'x': File too large");
	EXPECT_STR(content("x"), "old");
	EXPECT_EQ(end(), 1);
}

TEST(anonymous_files_have_no_name)
{
	int fd = output_anonymous();
	struct stat st;
	if (!EXPECT(fd >= 0))
		return;
	EXPECT(fstat(fd, &st) == 0 && st.st_nlink == 0);
	EXPECT(write_all(fd, STR("bytes")));
	Str bytes = output_map(fd);
	EXPECT_TEXT(bytes, "bytes");
	output_unmap(bytes);
	close(fd);
}
