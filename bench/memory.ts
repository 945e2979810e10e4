import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { memoryOf } from '@portolan/test-support/process-memory';

/** Returns the process ids of a service and its engine host. */
export function processesOf(dataDirectory: string): { readonly service: number; readonly host: number } {
  const host = JSON.parse(readFileSync(join(dataDirectory, 'engine', 'host.json'), 'utf8')) as {
    pid: number;
  };
  return { service: Number(readFileSync(join(dataDirectory, 'pid'), 'utf8')), host: host.pid };
}

/** Resident memory of a process in megabytes. Works on Linux only; NaN on other systems. */
export const residentMemory = (pid: number): number => megabytes(pid, 'VmRSS');

/**
 * Starts to record the highest resident memory of a process. Returns a function that reads it, in megabytes. Works on
 * Linux only; NaN on other systems.
 */
export function highestMemory(pid: number): () => number {
  try {
    // The value 5 resets the recorded maximum (proc_pid_clear_refs(5)).
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    return () => Number.NaN;
  }
  return () => megabytes(pid, 'VmHWM');
}

function megabytes(pid: number, field: Parameters<typeof memoryOf>[1]): number {
  try {
    return memoryOf(pid, field);
  } catch {
    return Number.NaN;
  }
}
