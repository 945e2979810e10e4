import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { enginePorts } from '@portolan/test-support/ports';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import {
  type ClientSession,
  type Collection,
  type CommandFailedEvent,
  type CommandStartedEvent,
  type CommandSucceededEvent,
  type Db,
  type Document,
  MongoClient,
  type MongoClientOptions,
} from 'mongodb';
import { scramCredentials } from '../../access/scram.ts';
import { deploymentSpec } from '../../testing.ts';
import { createEmbeddedEngine, type EmbeddedEngine } from '../engine.ts';
import { eventually } from '../testing/eventually.ts';
import { startHost } from '../testing/host.ts';

/**
 * This file runs the driver specifications. Each test file lists its cases in a table, and each case runs with the
 * official driver on a real engine.
 */

export interface Item extends Document {
  readonly _id: number;
  readonly x?: number;
}

interface CommandEvent {
  readonly kind: 'started' | 'succeeded' | 'failed';
  readonly name: string;
  readonly command?: Document;
  readonly reply?: Document;
}

/** The clients, the collection and the functions that a case uses. */
export interface World {
  readonly client: MongoClient;
  readonly db: Db;
  readonly items: Collection<Item>;
  readonly events: CommandEvent[];
  readonly engine: EmbeddedEngine;
  /** Returns the names of the commands that were sent. */
  names(): string[];
  /** Returns the commands with this name that were sent. */
  sent(name: string): Document[];
  /** Returns all documents, read by another client. */
  stored(): Promise<Item[]>;
  /** Sets the fail point `failCommand` on the primary. */
  fail(data: Document, mode?: unknown): Promise<void>;
  /** Sets a fail point other than `failCommand` on the primary. */
  failAt(name: string, mode: unknown, data?: Document): Promise<void>;
  /** Makes another member primary. */
  failover(): Promise<unknown>;
  /** Returns another client of the same engine. The client is closed at the end of the case. */
  connect(options?: MongoClientOptions): Promise<MongoClient>;
}

export interface Case {
  readonly name: string;
  readonly options?: MongoClientOptions;
  /** The documents of the collection before the case runs. The default is items 1 to 3. */
  readonly given?: readonly Item[];
  run(world: World): Promise<void>;
}

const database = 'specifications';
const DEPLOYMENT = '1'.padStart(24, '0');
const initial: readonly Item[] = [1, 2, 3].map((_id) => ({ _id, x: _id * 11 }));

interface Started {
  readonly engine: EmbeddedEngine;
  readonly uri: string;
  readonly dataDir: string;
}

/**
 * The engine that the suites of this process share, because starting an engine takes a second. `users` is the
 * number of suites that still need it.
 */
let shared: Promise<Started> | undefined;
let users = 0;

async function leave(): Promise<void> {
  if (--users > 0) return;
  const started = await shared;
  shared = undefined;
  await started?.engine.stop();
  if (started) rmSync(started.dataDir, { recursive: true, force: true });
}

/** Runs the cases of one specification. */
export function specification(name: string, groups: Readonly<Record<string, readonly Case[]>>): void {
  describe(`the specification of ${name}`, () => {
    let started: Started;
    let admin: MongoClient;
    const open: MongoClient[] = [];
    users++;

    before(async () => {
      shared ??= start();
      started = await shared;
      admin = await MongoClient.connect(started.uri, LONG_TIMEOUTS);
    });
    beforeEach(async () => {
      await setFailPoint(admin, 'failCommand', 'off');
      await admin.db('admin').command({ killAllSessions: [] });
    });
    after(async () => {
      await Promise.all([admin, ...open].map((client) => client.close()));
      await leave();
    });

    for (const [group, cases] of Object.entries(groups)) {
      describe(group, () => {
        for (const each of cases) it(each.name, () => runCase(each, started, admin, open));
      });
    }
  });
}

async function start(): Promise<Started> {
  const random = systemRandom();
  const dataDir = mkdtempSync(join(tmpdir(), 'portolan-specifications-'));
  const scram = await scramCredentials('ada', 'pencil', random);
  const users = [{ username: 'ada', database: 'admin', roles: [{ role: 'root', database: 'admin' }], scram }];
  const spec = deploymentSpec({
    id: DEPLOYMENT,
    ownUsers: true,
    access: { revision: 1, addresses: ['127.0.0.1/32'], users },
  });
  const ports = await enginePorts();
  const engine = createEmbeddedEngine({
    dataDir,
    startHost,
    log: silentLog(),
    ports,
  });
  const { members } = await engine.provision(spec);
  const hosts = members.map(({ host, port }) => `${host}:${port}`).join(',');
  const uri = `mongodb://ada:pencil@${hosts}/?replicaSet=${spec.replicaSetName}&authSource=admin`;
  return { engine, uri, dataDir };
}

async function setFailPoint(
  admin: MongoClient,
  name: string,
  mode: unknown,
  data: Document = {},
): Promise<void> {
  await admin.db('admin').command({ configureFailPoint: name, mode, data });
}

async function runCase(
  { options = {}, given = initial, run }: Case,
  { engine, uri }: Started,
  admin: MongoClient,
  open: MongoClient[],
): Promise<void> {
  const collection = admin.db(database).collection<Item>('items');
  await collection.drop();
  await admin.db(database).createCollection('items');
  if (given.length > 0) await collection.insertMany([...given]);
  const connect = async (more: MongoClientOptions = {}) => {
    const made = await MongoClient.connect(uri, { monitorCommands: true, ...LONG_TIMEOUTS, ...more });
    open.push(made);
    return made;
  };
  const client = await connect(options);
  const events = observe(client);
  const db = client.db(database);
  await run({
    client,
    db,
    items: db.collection<Item>('items'),
    events,
    engine,
    names: () => events.filter(({ kind }) => kind === 'started').map(({ name }) => name),
    sent: (name) =>
      events.flatMap(({ kind, name: of, command }) =>
        kind === 'started' && of === name && command ? [command] : [],
      ),
    stored: () => collection.find({}, { sort: { _id: 1 } }).toArray(),
    fail: (data, mode = { times: 1 }) => setFailPoint(admin, 'failCommand', mode, data),
    failAt: (name, mode, data) => setFailPoint(admin, name, mode, data),
    failover: () => engine.failover(DEPLOYMENT),
    connect,
  });
  await client.close();
}

function observe(client: MongoClient): CommandEvent[] {
  const events: CommandEvent[] = [];
  client.on('commandStarted', ({ commandName: name, command }: CommandStartedEvent) => {
    events.push({ kind: 'started', name, command: copyOf(command) });
  });
  client.on('commandSucceeded', ({ commandName: name, reply }: CommandSucceededEvent) => {
    events.push({ kind: 'succeeded', name, reply: reply as Document });
  });
  client.on('commandFailed', ({ commandName: name }: CommandFailedEvent) => {
    events.push({ kind: 'failed', name });
  });
  return events;
}

/** Copies a command, because a driver may modify it after sending it. */
function copyOf(command: Document): Document {
  return { ...command };
}

/**
 * Waits until `stored` returns `count` documents. Otherwise, an unacknowledged write could run during the next case.
 */
export async function untilStored(count: number, stored: World['stored']): Promise<void> {
  assert.equal((await eventually(stored, ({ length }) => length === count)).length, count);
}

/** Asserts that `work` rejects with this code, with the labels `labels`, and without the labels `without`. */
export async function fails(
  work: Promise<unknown>,
  { code, has = [], lacks = [] }: { code?: number; has?: string[]; lacks?: string[] } = {},
): Promise<void> {
  const error = await work.then(
    () => assert.fail('it should have failed'),
    (thrown: unknown) => thrown as { code?: number; hasErrorLabel(label: string): boolean },
  );
  if (code !== undefined) assert.equal(error.code, code, String(error));
  for (const label of has) assert.ok(error.hasErrorLabel(label), `${error} lacks ${label}`);
  for (const label of lacks) assert.ok(!error.hasErrorLabel(label), `${error} has ${label}`);
}

/** Runs `work` with a session and then ends the session. */
export async function inSession<T>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<T>,
  options: Parameters<MongoClient['startSession']>[0] = {},
): Promise<T> {
  const session = client.startSession(options);
  try {
    return await work(session);
  } finally {
    await session.endSession();
  }
}
