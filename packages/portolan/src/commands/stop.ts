import { machineClock } from '@portolan/foundation/clock';
import { ConfigError } from '@portolan/foundation/command-line';
import { poll } from '@portolan/foundation/wait';
import { ownerOf } from '@portolan/service/store';

const UNTIL_GONE = { step: 25, limit: 120_000 };

/** Stops the service that uses a data directory, and waits until it has ended. */
export async function stop(dataDirectory: string): Promise<number> {
  const owner = ownerOf(dataDirectory);
  if (owner === undefined) throw new ConfigError(`No service runs on the data directory ${dataDirectory}`);
  process.kill(owner, 'SIGTERM');
  const isGone = () => ownerOf(dataDirectory) === undefined || undefined;
  const gone = await poll(machineClock(), UNTIL_GONE, isGone);
  if (!gone) throw new ConfigError(`The service (process ${owner}) did not stop in time`);
  console.log('stopped');
  return 0;
}
