import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { RotatingFile } from '@portolan/foundation/rotating-file';

/** The files in which is kept what a deployment has done: the folder `log` beside its data. */

const MIB = 1024 * 1024;
/** A history of 20,000 log-ins, the most that is asked for, is some 14 MB. */
const ACCESS = { bytes: 8 * MIB, older: 2, makeFolder: true };
const LOG = { bytes: 5 * MIB, older: 2, makeFolder: true };
/** A day of three members, whose samples are some 1,500 bytes, is 39 MB. */
const METRICS = { bytes: 8 * MIB, older: 4, makeFolder: true };

/** `directory`: that of the deployment. */
export function recordFolder(directory: string): string {
  return join(directory, 'log');
}

export function accessFile(folder: string): RotatingFile {
  return new RotatingFile(join(folder, 'access.log'), ACCESS);
}

export function metricsFile(folder: string): RotatingFile {
  return new RotatingFile(join(folder, 'metrics.log'), METRICS);
}

export function logFile(folder: string, member: string, log: 'audit' | 'server'): RotatingFile {
  return new RotatingFile(join(folder, `${member}.${log}.log`), LOG);
}

/** The last lines of a file, whole ones within so many bytes of its end; none when there is no such file. */
export function lastLines(path: string, bytes: number): string[] {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    // Nothing has been written yet.
    return [];
  }
  try {
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(size, bytes));
    readSync(file, buffer, 0, buffer.length, size - buffer.length);
    const lines = buffer.toString().split('\n');
    // The first may be cut off, the last is empty or still being written.
    return lines.slice(size > bytes ? 1 : 0, -1);
  } finally {
    closeSync(file);
  }
}
