import type { MachineClock } from '@portolan/foundation/clock';
import { repeat, rethrow } from '@portolan/foundation/repeat';
import { within } from '@portolan/foundation/wait';
import type { ConnectionCheckedInEvent, ConnectionCheckedOutEvent, MongoClient } from 'mongodb';

const CHECK_MS = 1_000;
/** How much longer than its time limit a command may take, so that the driver can report the timeout itself. */
const MARGIN_MS = 15_000;
/**
 * How long to wait until a client is closed. A closing client sends a last command, to which servers may not reply.
 */
const CLOSE_MS = 10_000;

type Use = ConnectionCheckedInEvent | ConnectionCheckedOutEvent;

/**
 * Returns the result of `work`, which uses the clients. Rejects if a command takes longer than the `socketTimeoutMS`
 * of its client. The driver enforces this limit itself, but not if a connection breaks while a command is being sent:
 * then the driver waits forever. Each running command uses a separate connection, so this function measures how long
 * connections are in use.
 */
export async function unlessStuck<T>(
  machine: MachineClock,
  clients: readonly MongoClient[],
  work: () => Promise<T>,
): Promise<T> {
  const stuck = Promise.withResolvers<never>();
  const deadlines = new Map<string, { readonly at: number; readonly address: string }>();
  const leave = clients.map((client, index) => {
    const limit = client.options.socketTimeoutMS + MARGIN_MS;
    const keyOf = ({ address, connectionId }: Use) => `${index} ${address} ${connectionId}`;
    const begin = (use: ConnectionCheckedOutEvent) =>
      void deadlines.set(keyOf(use), { at: machine.monotonic() + limit, address: use.address });
    const end = (use: ConnectionCheckedInEvent) => void deadlines.delete(keyOf(use));
    client.on('connectionCheckedOut', begin).on('connectionCheckedIn', end);
    return () => client.off('connectionCheckedOut', begin).off('connectionCheckedIn', end);
  });
  const watch = repeat({
    machine,
    interval: CHECK_MS,
    run() {
      const late = [...deadlines.values()].find(({ at }) => machine.monotonic() > at);
      if (late !== undefined) stuck.reject(new Error(`a command to ${late.address} does not end`));
    },
    onError: rethrow,
  });
  try {
    return await Promise.race([work(), stuck.promise]);
  } finally {
    for (const undo of leave) undo();
    await watch.stop();
  }
}

/** Closes clients, even if one of their commands is stuck. */
export async function closeAll(machine: MachineClock, clients: readonly MongoClient[]): Promise<void> {
  await within(machine, CLOSE_MS, Promise.allSettled(clients.map((client) => client.close())));
}
