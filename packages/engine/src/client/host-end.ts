import type { MachineClock } from '@portolan/foundation/clock';
import { isAlive } from '@portolan/foundation/is-alive';
import type { Random } from '@portolan/foundation/random';
import { poll } from '@portolan/foundation/wait';
import type { HostFile } from '../control/protocol.ts';
import type { ControlConnection } from './control-connection.ts';
import { ConnectionLost } from './errors.ts';
import { openChannel } from './handshake.ts';

/** A host exits within this time after it has replied to `stop`. */
const GONE_MS = 5_000;
const STEP_MS = 10;

/** Ends a host cleanly; resolves when its process has exited. */
export async function endHost(connection: ControlConnection, clock: MachineClock): Promise<void> {
  await connection.call('stop', []).catch((error: Error) => {
    if (!(error instanceof ConnectionLost)) throw error;
  });
  await connection.closed;
  await gone(connection.pid, clock);
}

/** Ends a host with an earlier protocol version: greeting and `stop` have never changed. */
export async function endOlderHost(
  file: HostFile,
  protocol: number,
  { clock, random }: { readonly clock: MachineClock; readonly random: Random },
): Promise<void> {
  const { channel, welcome } = await openChannel(file, { random, protocol });
  channel.writeLine({ id: 1, call: 'stop', args: [] });
  await channel.line();
  // The host closes the connection; a call might otherwise still be in progress on it.
  while ((await channel.line()) !== undefined);
  await gone(welcome.pid, clock);
}

/** Until its process has exited, the host holds the lock and may write to a directory that is about to be deleted. */
async function gone(pid: number, clock: MachineClock): Promise<void> {
  // A host in this process has released everything when its connections end.
  if (pid === process.pid) return;
  await poll(clock, { step: STEP_MS, limit: GONE_MS }, () => (isAlive(pid) ? undefined : true));
}
