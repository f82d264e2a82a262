// Preloaded into a daemon: lets a share of its reads and writes below some paths fail, as long as a file says so.
// FAULTS_FILE: two 32-bit numbers, failures per 1000 calls and a seed, mapped by the test and by us.
// FAULTS_HOME: the state home; files of /proc fail as well.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static volatile uint32_t *control;
static char home[4096];
static size_t home_length;
static uint32_t calls;

static const int on_open[] = {EMFILE, ENFILE, ENOMEM, EIO, EACCES};
static const int on_read[] = {EIO, ENOMEM};
static const int on_write[] = {ENOSPC, EIO, EDQUOT};
static const int on_change[] = {ENOSPC, EIO, EACCES, ENOMEM};
static const int on_stat[] = {ENOMEM, EIO, EACCES};

// Only the daemon itself: neither what starts it nor what it starts must fail.
__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("FAULTS_FILE"), *place = getenv("FAULTS_HOME");
  if (file == NULL || place == NULL) return;
  char words[8192] = {0};
  int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY);
  ssize_t length = syscall(SYS_read, fd, words, sizeof words - 1);
  syscall(SYS_close, fd);
  if (length <= 0 || memmem(words, length, "\0daemon\0run", 11) == NULL) return;
  char program[4096] = {0};
  if (readlink("/proc/self/exe", program, sizeof program - 1) <= 0 || strstr(program, "node") == NULL) return;
  unsetenv("LD_PRELOAD");
  snprintf(home, sizeof home, "%s", place);
  home_length = strlen(home);
  fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR);
  void *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  if (mapped != MAP_FAILED) control = mapped;
}

static int is_ours(const char *path) {
  if (path == NULL) return 0;
  return strncmp(path, "/proc/", 6) == 0 || strcmp(path, "/proc") == 0 || strncmp(path, home, home_length) == 0;
}

static int chance(const int *errors, size_t count) {
  uint32_t x = control[1] + __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) * 2654435761u;
  x ^= x >> 16, x *= 0x85ebca6bu, x ^= x >> 13, x *= 0xc2b2ae35u, x ^= x >> 16;
  if (x % 1000 >= control[0]) return 0;
  errno = errors[(x / 1000) % count];
  return 1;
}

#define FAILS(path, errors) \
  (control != NULL && control[0] > 0 && is_ours(path) && chance(errors, sizeof errors / sizeof *errors))

static int fails_at(int fd, const int *errors, size_t count) {
  if (control == NULL || control[0] == 0) return 0;
  char link[64], path[4096] = {0};
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  if (syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1) <= 0) return 0;
  return is_ours(path) && chance(errors, count);
}
#define FAILS_AT(fd, errors) fails_at(fd, errors, sizeof errors / sizeof *errors)

#define REAL(name) \
  static __typeof__(&name) real; \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = va_arg(rest, mode_t); \
    va_end(rest); \
    return FAILS(path, on_open) ? -1 : real(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
  int name(int dir, const char *path, int flags, ...) { \
    REAL(name); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = va_arg(rest, mode_t); \
    va_end(rest); \
    return FAILS(path, on_open) ? -1 : real(dir, path, flags, mode); \
  }
OPENAT(openat)
OPENAT(openat64)

DIR *opendir(const char *path) {
  REAL(opendir);
  return FAILS(path, on_open) ? NULL : real(path);
}

#define SCAN(name, entry) \
  int name(const char *path, struct entry ***list, int (*pick)(const struct entry *), \
           int (*order)(const struct entry **, const struct entry **)) { \
    REAL(name); \
    return FAILS(path, on_open) ? -1 : real(path, list, pick, order); \
  }
SCAN(scandir, dirent)
SCAN(scandir64, dirent64)

ssize_t read(int fd, void *to, size_t n) {
  REAL(read);
  return FAILS_AT(fd, on_read) ? -1 : real(fd, to, n);
}
ssize_t pread(int fd, void *to, size_t n, off_t at) {
  REAL(pread);
  return FAILS_AT(fd, on_read) ? -1 : real(fd, to, n, at);
}
ssize_t pread64(int fd, void *to, size_t n, off64_t at) {
  REAL(pread64);
  return FAILS_AT(fd, on_read) ? -1 : real(fd, to, n, at);
}
ssize_t write(int fd, const void *from, size_t n) {
  REAL(write);
  return FAILS_AT(fd, on_write) ? -1 : real(fd, from, n);
}
ssize_t pwrite64(int fd, const void *from, size_t n, off64_t at) {
  REAL(pwrite64);
  return FAILS_AT(fd, on_write) ? -1 : real(fd, from, n, at);
}
int rename(const char *from, const char *to) {
  REAL(rename);
  return FAILS(from, on_change) ? -1 : real(from, to);
}
int unlink(const char *path) {
  REAL(unlink);
  return FAILS(path, on_change) ? -1 : real(path);
}
int rmdir(const char *path) {
  REAL(rmdir);
  return FAILS(path, on_change) ? -1 : real(path);
}
int access(const char *path, int mode) {
  REAL(access);
  return FAILS(path, on_stat) ? -1 : real(path, mode);
}
int mkdir(const char *path, mode_t mode) {
  REAL(mkdir);
  return FAILS(path, on_change) ? -1 : real(path, mode);
}
int ftruncate64(int fd, off64_t length) {
  REAL(ftruncate64);
  return FAILS_AT(fd, on_change) ? -1 : real(fd, length);
}
int statx(int dir, const char *path, int flags, unsigned mask, struct statx *to) {
  REAL(statx);
  return FAILS(path, on_stat) ? -1 : real(dir, path, flags, mask, to);
}

// libuv asks for statx, and koffi for pidfds, by number.
long syscall(long number, ...) {
  REAL(syscall);
  va_list rest;
  va_start(rest, number);
  long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long);
  long d = va_arg(rest, long), e = va_arg(rest, long), f = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_statx && FAILS((const char *)b, on_stat)) return -1;
  if (number == SYS_pidfd_open && control != NULL && control[0] > 0 && chance(on_open, 3)) return -1;
  return real(number, a, b, c, d, e, f);
}
