import { setTimeout } from 'node:timers/promises';
import { ConfigError } from './config.ts';
import { ownerOf } from './store/index.ts';

const PATIENCE_MS = 30_000;
const STEP_MS = 25;

/** Asks the service that has a data directory in use to end, and waits until it is gone. */
export async function stop(dataDirectory: string): Promise<number> {
  const owner = ownerOf(dataDirectory);
  if (owner === undefined) throw new ConfigError(`No service runs on the data directory ${dataDirectory}`);
  process.kill(owner, 'SIGTERM');
  const deadline = performance.now() + PATIENCE_MS;
  while (ownerOf(dataDirectory) !== undefined) {
    if (performance.now() > deadline) throw new ConfigError(`The service (process ${owner}) does not end`);
    await setTimeout(STEP_MS);
  }
  console.log('stopped');
  return 0;
}
