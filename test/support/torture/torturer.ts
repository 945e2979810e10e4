import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { type MongoClient, MongoServerError } from 'mongodb';
import { connectDriver } from '../drivers.ts';
import { fillForTorture, tortures } from './statements.ts';

/**
 * The program of the malicious tenant: a process of its own, with the lowest priority, since tenants do not share
 * processes or machines with other tenants. Encoding its statements therefore delays nobody else.
 */
export interface Orders {
  readonly connectionString: string;
  readonly milliseconds: number;
}

/** The longest time until each outcome, by statement. */
export type Outcomes = Record<string, Record<string, number>>;

/** The file that sets the priority of a session in Linux. The priority of a thread counts only within its session. */
const SESSION = '/proc/self/autogroup';
const LOWEST = constants.priority.PRIORITY_LOW;
const CONNECTIONS = 3;
/** A client closes its connection after this time, which ends its statement on the server. */
const SOCKET_TIMEOUT_MS = 20_000;
const statements = Object.entries(tortures);

/** Runs the statements in turn, beginning with statement number `first`, until the time is over. */
async function torture(driver: MongoClient, first: number, isOver: () => boolean, outcomes: Outcomes) {
  for (let turn = first; !isOver(); turn++) {
    const [name, statement] = statements[turn % statements.length] as (typeof statements)[number];
    const start = performance.now();
    let outcome = 'done';
    try {
      await statement(driver.db('torture'), driver);
    } catch (error) {
      outcome =
        error instanceof MongoServerError ? String(error.codeName ?? error.code) : (error as Error).name;
    }
    const own = outcomes[name] ?? {};
    outcomes[name] = own;
    own[outcome] = Math.max(own[outcome] ?? 0, performance.now() - start);
  }
}

setPriority(LOWEST);
if (existsSync(SESSION)) writeFileSync(SESSION, String(LOWEST));
const [{ connectionString, milliseconds }] = (await once(process, 'message')) as [Orders];
const options = { socketTimeoutMS: SOCKET_TIMEOUT_MS, retryReads: false };
const drivers = await Promise.all(
  Array.from({ length: CONNECTIONS }, () => connectDriver(connectionString, options)),
);
await fillForTorture(drivers[0] as MongoClient);
process.send?.('filled');
await once(process, 'message');
const start = performance.now();
const isOver = () => performance.now() - start > milliseconds;
const outcomes: Outcomes = {};
await Promise.all(
  drivers.map((driver, i) =>
    torture(driver, Math.floor((i * statements.length) / CONNECTIONS), isOver, outcomes),
  ),
);
process.send?.(outcomes);
await Promise.all(drivers.map((driver) => driver.close(true)));
process.disconnect();
