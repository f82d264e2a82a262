// A semaphore that processes share. argv[1]:
// late: a named one (sem_open); a child opens the name after argv[2] ms and posts it. unlinked: its name is gone, no other process has it.
// linked: in the file "semaphore", which was named by link(); post MS: opens that file at once and posts it after that time, and prints a line.
// sysv-late, sysv-never: System V, private: a child raises it after argv[2] ms, or no process is left to raise it; in an IPC namespace
// of its own, so that nothing stays behind.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t *map_file(int fd) {
  return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static int wait_linked(void) {
  int fd = open("temporary", O_RDWR | O_CREAT | O_EXCL, 0666);
  if (fd < 0 || ftruncate(fd, 4096)) return 1;
  sem_t *semaphore = map_file(fd);
  if (semaphore == MAP_FAILED || sem_init(semaphore, 1, 0)) return 1;
  if (link("temporary", "semaphore") || unlink("temporary")) return 1;
  close(fd);
  return sem_wait(semaphore);
}

static int post_linked(int ms) {
  int fd;
  puts("0");
  fflush(stdout);
  while ((fd = open("semaphore", O_RDWR)) < 0) usleep(10000);
  sem_t *semaphore = map_file(fd);
  close(fd);
  usleep(ms * 1000);
  return semaphore == MAP_FAILED || sem_post(semaphore);
}

static int wait_named(int ms, int is_unlinked) {
  char name[64];
  snprintf(name, sizeof name, "/unstuck-hangs-%d", getuid());
  if (!is_unlinked && fork() == 0) {
    usleep(ms * 1000);
    sem_t *semaphore = sem_open(name, 0);
    return semaphore == SEM_FAILED || sem_post(semaphore);
  }
  if (is_unlinked) strcat(name, "-unlinked");
  sem_unlink(name);
  sem_t *semaphore = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
  if (semaphore == SEM_FAILED) return 1;
  if (is_unlinked) sem_unlink(name);
  sem_wait(semaphore);
  return sem_unlink(name) || wait(NULL) < 0;
}

static int wait_sysv(int ms, int is_raised) {
  struct sembuf down = {0, -1, 0}, up = {0, 1, 0};
  if (unshare(CLONE_NEWIPC)) return 77;
  int id = semget(IPC_PRIVATE, 1, 0600);
  if (is_raised && fork() == 0) return usleep(ms * 1000) || semop(id, &up, 1);
  return semop(id, &down, 1);
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  int ms = argc > 2 ? atoi(argv[2]) : 0;
  if (!strcmp(mode, "linked")) return wait_linked();
  if (!strcmp(mode, "post")) return post_linked(ms);
  if (!strncmp(mode, "sysv", 4)) return wait_sysv(ms, !strcmp(mode, "sysv-late"));
  return wait_named(ms, !strcmp(mode, "unlinked"));
}
