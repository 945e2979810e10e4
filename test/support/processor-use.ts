import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { type readFileSync as readNow, writeFileSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Processors that are as busy as a test says: its service and the engine host load this file before their own, and read a
 * `/proc/stat` in which user processes have used the set share of the time since the last reading.
 */

/** The environment in which processors are as busy as the file says; the file has to exist. */
export const withProcessorUse = (file: string) => ({
  NODE_OPTIONS: `--import=${pathToFileURL(import.meta.filename)}`,
  PROCESSOR_USE: file,
});

/** Sets the percentage of the time of all processors that user processes use from now on. */
export function useProcessors(file: string, percent: number): void {
  writeFileSync(file, String(percent));
}

/** Ticks from one reading to the next, however far apart they are: only their shares count. */
const TICKS = 1000;

const file = process.env.PROCESSOR_USE;
if (file !== undefined && process.env.NODE_OPTIONS?.includes(import.meta.url)) {
  const require = createRequire(import.meta.url);
  const files: { readFileSync: typeof readNow } = require('node:fs');
  const { readFileSync } = files;
  let [user, idle] = [0, 0];
  const stat = () => {
    const share = Number(readFileSync(file, 'utf8')) / 100;
    user += Math.round(TICKS * share);
    idle += Math.round(TICKS * (1 - share));
    return `cpu  ${user} 0 0 ${idle} 0 0 0 0 0 0\n`;
  };
  files.readFileSync = ((path: string, ...options: [BufferEncoding]) =>
    path === '/proc/stat' ? stat() : readFileSync(path, ...options)) as typeof readNow;

  const processes: {
    spawn: (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;
  } = require('node:child_process');
  const { spawn } = processes;
  // The service hands little of its environment to the engine host.
  processes.spawn = (command, args, options) => {
    const { NODE_OPTIONS, PROCESSOR_USE } = process.env;
    return spawn(command, args, { ...options, env: { ...options.env, NODE_OPTIONS, PROCESSOR_USE } });
  };
  syncBuiltinESMExports();
}
