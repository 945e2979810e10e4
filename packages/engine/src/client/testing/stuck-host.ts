import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import workerThreads from 'node:worker_threads';

/**
 * The entry point of a host whose query threads can get stuck in native code, where `terminate` has no
 * effect. After a test creates the file `stick` in the data directory, the next thread that runs a statement
 * gets stuck.
 */
const STICK = 'stick';

/** A program that ends with its parent, the host. */
const WAIT = 'const { ppid } = process; setInterval(() => process.ppid === ppid || process.exit(), 50);';

if (workerThreads.isMainThread) {
  const { dataDir } = JSON.parse(process.argv[2] ?? '{}');
  const { Worker } = workerThreads;
  workerThreads.Worker = class extends Worker {
    constructor(...[file, options]: ConstructorParameters<typeof Worker>) {
      super(file, {
        ...options,
        execArgv: ['--import', import.meta.filename],
        env: { ...process.env, STICK: join(dataDir, STICK) },
      });
    }
  };
  syncBuiltinESMExports();
  await import('../../host/main.ts');
} else {
  const { store } = Atomics;
  const trigger = process.env.STICK ?? '';
  // A query thread sets the first number of the shared array to 1 when it starts to run a statement.
  Atomics.store = ((array: Int32Array, at: number, value: number) => {
    const stored = store(array, at, value);
    if (at === 0 && value === 1 && existsSync(trigger)) {
      rmSync(trigger);
      execFileSync(process.execPath, ['--eval', WAIT]);
    }
    return stored;
  }) as typeof Atomics.store;
}
