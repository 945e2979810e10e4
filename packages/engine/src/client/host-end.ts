import type { MachineClock } from '@portolan/foundation/clock';
import type { Random } from '@portolan/foundation/random';
import { poll } from '@portolan/foundation/wait';
import type { HostFile } from '../control/protocol.ts';
import type { ControlConnection } from './control-connection.ts';
import { ConnectionLost } from './errors.ts';
import { openChannel } from './handshake.ts';

/** A host that has answered `stop` is gone within this. */
const GONE_MS = 5_000;
const STEP_MS = 10;

/** Ends a host cleanly, and resolves when its process is gone. */
export async function endHost(connection: ControlConnection, clock: MachineClock): Promise<void> {
  await connection.call('stop', []).catch((error: Error) => {
    if (!(error instanceof ConnectionLost)) throw error;
  });
  await connection.closed;
  await gone(connection.pid, clock);
}

/** The same for a host that speaks an earlier version: greeting and `stop` have always been what they are. */
export async function endOlderHost(
  file: HostFile,
  protocol: number,
  { clock, random }: { readonly clock: MachineClock; readonly random: Random },
): Promise<void> {
  const { channel, welcome } = await openChannel(file, { random, protocol });
  channel.writeLine({ id: 1, call: 'stop', args: [] });
  await channel.line();
  // It ends by itself; until then another call could be under way on this connection.
  while ((await channel.line()) !== undefined);
  await gone(welcome.pid, clock);
}

/** Until the process is gone it holds the lock, and may write to a directory that somebody wants to delete. */
async function gone(pid: number, clock: MachineClock): Promise<void> {
  // A host within this process has given all that back when its connections end.
  if (pid === process.pid) return;
  await poll(clock, { step: STEP_MS, limit: GONE_MS }, () => (isAlive(pid) ? undefined : true));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
