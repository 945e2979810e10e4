import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Simulates a machine with a wrong clock. The service of a test and its engine host preload this file. It changes the
 * time of day, but not the monotonic clock.
 */

/** Returns the environment that makes the clock of a process wrong by this many milliseconds. */
export const withClockWrongBy = (milliseconds: number) => ({
  NODE_OPTIONS: `--import=${pathToFileURL(import.meta.filename)}`,
  CLOCK_WRONG_BY: String(milliseconds),
});

const wrongBy = process.env.CLOCK_WRONG_BY;
if (wrongBy !== undefined && process.env.NODE_OPTIONS?.includes(import.meta.url)) {
  const RightDate = Date;
  const now = () => RightDate.now() + Number(wrongBy);
  globalThis.Date = class extends RightDate {
    constructor(...parts: readonly unknown[]) {
      super(...((parts.length === 0 ? [now()] : parts) as [number]));
    }
    static override now = now;
  } as DateConstructor;

  const processes: {
    spawn: (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;
  } = createRequire(import.meta.url)('node:child_process');
  const { spawn } = processes;
  // Pass on the variables, since the service passes only a part of its environment to the engine host.
  processes.spawn = (command, args, options) => {
    const { NODE_OPTIONS, CLOCK_WRONG_BY } = process.env;
    return spawn(command, args, { ...options, env: { ...options.env, NODE_OPTIONS, CLOCK_WRONG_BY } });
  };
  syncBuiltinESMExports();
}
