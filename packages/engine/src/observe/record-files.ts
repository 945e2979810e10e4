import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { RotatingFile } from '@portolan/foundation/rotating-file';

/**
 * This file reads the files with the logs, access history and samples of a deployment. They are in the folder `log`
 * next to its data.
 */

const MIB = 1024 * 1024;
/** A request returns at most 20,000 logins, which take about 14 MB in these files. */
const ACCESS = { bytes: 8 * MIB, older: 2, makeFolder: true };
const LOG = { bytes: 5 * MIB, older: 2, makeFolder: true };
/** The samples of three members for one day take 39 MB in these files, at about 1,500 bytes for each sample. */
const METRICS = { bytes: 8 * MIB, older: 4, makeFolder: true };

/** Returns the folder of these files in the directory of a deployment. */
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

/** Returns the complete lines in the last `bytes` of a file. Returns no lines if the file does not exist. */
export function lastLines(path: string, bytes: number): string[] {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    // The file does not exist, because nothing has been written yet.
    return [];
  }
  try {
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(size, bytes));
    readSync(file, buffer, 0, buffer.length, size - buffer.length);
    const lines = buffer.toString().split('\n');
    // Drop the first line, which may be incomplete, and the last line, which is empty or incomplete.
    return lines.slice(size > bytes ? 1 : 0, -1);
  } finally {
    closeSync(file);
  }
}
