import type { MachineClock } from '@portolan/foundation/clock';
import { asError } from '@portolan/foundation/thrown';
import { within } from '@portolan/foundation/wait';
import pg from 'pg';
import { StoreError } from '../errors.ts';
import { postgresError } from './errors.ts';
import type { Host } from './location.ts';

/**
 * How long one server may take to accept a connection and to answer. On a stalling machine, even a working
 * server has taken more than ten seconds.
 */
export const CONNECT_TIMEOUT_MS = 30_000;
/**
 * After this time without an answer, the search also tries the next server. A server whose machine has lost its network
 * does not answer at all.
 */
const NEXT_AFTER_MS = 1_000;

/** The error for a server that does not accept writes. */
export class ReadOnlyServer extends Error {
  constructor() {
    super('it is read-only');
    this.name = 'ReadOnlyServer';
  }
}

/** Throws if the server of a connection does not accept writes, for example because it is a standby. */
export async function requireWritable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
  if (rows[0]?.transaction_read_only !== 'off') throw new ReadOnlyServer();
}

export interface Search {
  readonly hosts: readonly Host[];
  /** The name of the database, for messages. */
  readonly place: string;
  readonly machine: Pick<MachineClock, 'after'>;
}

/** Tries the servers one after another. Returns the first server that accepts writes. */
export async function findWritable({ hosts, place, machine }: Search): Promise<Host> {
  const trials: Promise<Host>[] = [];
  const faults = new Map<Host, Error>();
  for (const host of hosts) {
    trials.push(tried(host, faults));
    const found = await within(machine, NEXT_AFTER_MS, anyOf(trials));
    if (found !== undefined) return found;
    if ([...faults.values()].some(isRejection)) break;
  }
  const found = await anyOf(trials);
  if (found !== undefined) return found;
  throw noneOf(faults, place);
}

async function tried(host: Host, faults: Map<Host, Error>): Promise<Host> {
  try {
    const client = await openWritable(host, CONNECT_TIMEOUT_MS);
    void client.end();
    return host;
  } catch (error) {
    faults.set(host, asError(error));
    throw error;
  }
}

/** Opens a connection outside of the pool. Throws if its server does not accept writes. */
export async function openWritable(host: Host, timeoutMs: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: host.url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: 'portolan',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await requireWritable(client);
    return client;
  } catch (error) {
    void client.end();
    throw error;
  }
}

const anyOf = (trials: readonly Promise<Host>[]): Promise<Host | undefined> =>
  Promise.any(trials).catch(() => undefined);

/**
 * Whether a server has rejected the credentials or the database. As in libpq, such a rejection ends the
 * search.
 */
function isRejection(error: Error): boolean {
  const translated = postgresError(error, '');
  return translated instanceof StoreError && translated.kind === 'configuration';
}

function noneOf(faults: ReadonlyMap<Host, Error>, place: string): unknown {
  const all = [...faults.values()];
  const rejection = all.find(isRejection);
  if (rejection !== undefined) return postgresError(rejection, place);
  if (all.every((error) => error instanceof ReadOnlyServer))
    return new StoreError('readOnly', `${place} is read-only`, { cause: all[0] });
  const reasons = [...faults].map(([host, { message }]) => `${host.name}: ${message}`);
  return new StoreError('unavailable', `${place} cannot be reached: ${reasons.join('; ')}`, {
    cause: all[0],
  });
}
