/*
 * Loaded before the C library (LD_PRELOAD): while the file STALL_FLAG is there, a sync of a write-ahead log does not come
 * back. What was written is in the page cache by then, and on no disk as far as anybody was told. Where a sync hangs, the
 * file STALL_FLAG.reached appears.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_write_ahead_log(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 4) return 0;
  path[length] = 0;
  return strcmp(path + length - 4, "-wal") == 0;
}

static void stall(int fd) {
  const char *flag = getenv("STALL_FLAG");
  if (flag == NULL || access(flag, F_OK) != 0 || !is_write_ahead_log(fd)) return;
  char reached[4096];
  snprintf(reached, sizeof reached, "%s.reached", flag);
  int made = open(reached, O_CREAT | O_WRONLY, 0600);
  if (made >= 0) close(made);
  while (access(flag, F_OK) == 0) usleep(5000);
}

int fsync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  stall(fd);
  return real(fd);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  stall(fd);
  return real(fd);
}
