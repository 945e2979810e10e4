import { readFileSync } from 'node:fs';

/**
 * Returns the resident memory of a process in megabytes: the present value, or the highest value so far.
 * Works on Linux only.
 */
export function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
}

export const residentMegabytes = (pid: number): number => memoryOf(pid, 'VmRSS');
