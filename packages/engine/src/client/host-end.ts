import type { MachineClock } from '@portolan/foundation/clock';
import { isAlive } from '@portolan/foundation/is-alive';
import type { Random } from '@portolan/foundation/random';
import { poll } from '@portolan/foundation/wait';
import type { HostFile } from '../control/protocol.ts';
import type { ControlConnection } from './control-connection.ts';
import { ConnectionLost } from './errors.ts';
import { openChannel } from './handshake.ts';

/** Maximum time between a host's reply to `stop` and the exit of its process. It is long enough for a busy machine. */
const GONE_MS = 60_000;
const STEP_MS = 10;

/** Stops a host. Resolves when its process has exited. */
export async function endHost(connection: ControlConnection, clock: MachineClock): Promise<void> {
  await connection.call('stop', []).catch((error: Error) => {
    if (!(error instanceof ConnectionLost)) throw error;
  });
  await connection.closed;
  await gone(connection.pid, clock);
}

/** Stops a host with an earlier protocol version. All versions have the same greeting and the same call `stop`. */
export async function endOlderHost(
  file: HostFile,
  protocol: number,
  { clock, random }: { readonly clock: MachineClock; readonly random: Random },
): Promise<void> {
  const { channel, welcome } = await openChannel(file, { random, protocol });
  channel.writeLine({ id: 1, call: 'stop', args: [] });
  await channel.line();
  // Wait until the host closes the connection. Another call may still be running, and the host ends only after that
  // call.
  while ((await channel.line()) !== undefined);
  await gone(welcome.pid, clock);
}

/**
 * Waits until the process has exited, because the caller may want to delete the directory. Until the process exits, it
 * locks the directory and may write to it.
 */
async function gone(pid: number, clock: MachineClock): Promise<void> {
  // A host within this process has released all its resources when its connections end.
  if (pid === process.pid) return;
  await poll(clock, { step: STEP_MS, limit: GONE_MS }, () => (isAlive(pid) ? undefined : true));
}
