import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { type readFileSync as readNow, writeFileSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Simulates busy processors. The service of a test and its engine host preload this file. They then read a `/proc/stat`
 * in which user processes have used a given share of the time since the last reading.
 */

/** Returns the environment that makes processors appear as busy as the file says. The file must exist. */
export const withProcessorUse = (file: string) => ({
  NODE_OPTIONS: `--import=${pathToFileURL(import.meta.filename)}`,
  PROCESSOR_USE: file,
});

/** Sets how much of the time of all processors user processes use from now on, in percent. */
export function useProcessors(file: string, percent: number): void {
  writeFileSync(file, String(percent));
}

/** Number of ticks between two readings, however much time passes between them, since only the shares matter. */
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
  // Pass on the variables, since the service passes only a part of its environment to the engine host.
  processes.spawn = (command, args, options) => {
    const { NODE_OPTIONS, PROCESSOR_USE } = process.env;
    return spawn(command, args, { ...options, env: { ...options.env, NODE_OPTIONS, PROCESSOR_USE } });
  };
  syncBuiltinESMExports();
}
