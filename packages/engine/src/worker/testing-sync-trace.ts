import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A library that a process preloads. It records, in order, each write to a WAL (`w`), each sync of a WAL (`s`), and
 * each line of output (`a`). A line of output means that a reply was sent.
 */
const source = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void note(char kind) {
  static int fd = -1;
  if (fd < 0) fd = open(getenv("SYNC_TRACE"), O_WRONLY | O_CREAT | O_APPEND, 0600);
  syscall(SYS_write, fd, &kind, 1);
}
static int is_log(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path);
  return length > 4 && memcmp(path + length - 4, "-wal", 4) == 0;
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
  if (is_log(fd)) note('w');
  return syscall(SYS_pwrite64, fd, bytes, size, at);
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) { return pwrite64(fd, bytes, size, at); }
ssize_t write(int fd, const void *bytes, size_t size) {
  if (fd == 1) note('a');
  else if (is_log(fd)) note('w');
  return syscall(SYS_write, fd, bytes, size);
}
int fdatasync(int fd) {
  int result = syscall(SYS_fdatasync, fd);
  if (result == 0 && is_log(fd)) note('s');
  return result;
}
int fsync(int fd) {
  int result = syscall(SYS_fsync, fd);
  if (result == 0 && is_log(fd)) note('s');
  return result;
}
`;

/** Compiles the library into `dir`. Returns undefined if there is no compiler. */
export function makeSyncTrace(dir: string): string | undefined {
  const [code, library] = [join(dir, 'trace.c'), join(dir, 'trace.so')];
  writeFileSync(code, source);
  const made = spawnSync('cc', ['-shared', '-fPIC', '-o', library, code], { stdio: 'ignore' });
  return made.status === 0 ? library : undefined;
}

/** Runs a program that prints a line for each acknowledged write. Kills it after some lines. */
export async function traceUntil(
  lines: number,
  { library, dir, program, args }: { library: string; dir: string; program: string; args: readonly string[] },
): Promise<string> {
  const trace = join(dir, 'trace.txt');
  writeFileSync(trace, '');
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LD_PRELOAD: library, SYNC_TRACE: trace },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    if (output.split('\n').length > lines) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return readFileSync(trace, 'utf8');
}

export interface Answers {
  /** Number of replies after a write. */
  readonly count: number;
  /** Number of replies that were sent before all earlier writes were synced. */
  readonly early: number;
}

export function answersIn(trace: string): Answers {
  let [count, early, wrote, dirty] = [0, 0, false, false];
  for (const kind of trace) {
    if (kind === 'w') [wrote, dirty] = [true, true];
    else if (kind === 's') dirty = false;
    else if (wrote) {
      count++;
      if (dirty) early++;
    }
  }
  return { count, early };
}
