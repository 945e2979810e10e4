import { readFileSync } from 'node:fs';

/** Returns memory of a process in megabytes: resident now, or the highest resident. Works on Linux only. */
export function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
}

export const residentMegabytes = (pid: number): number => memoryOf(pid, 'VmRSS');
