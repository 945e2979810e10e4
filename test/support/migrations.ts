import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import {
  type Document,
  type MongoClient,
  MongoError,
  MongoNetworkError,
  MongoServerSelectionError,
} from 'mongodb';
import { allowAccess, driverFor, LONG_TIMEOUTS, newUser, SAILOR } from './drivers.ts';
import { makeEveryKind } from './every-kind.ts';
import { expectStatus, until } from './expect.ts';
import { type MigrationHostProcess, startMigrationHost } from './migration-host.ts';
import type { Dice } from './random.ts';
import type { Scope } from './service.ts';
import type { Setup } from './setups.ts';
import { applied, idle, newCluster, newProject } from './stage.ts';

export interface AvailableProject {
  readonly projectId: string;
  readonly name: string;
  readonly migrationHosts: readonly string[];
  readonly deployments: readonly Document[];
}

export interface Migration {
  readonly _id: string;
  readonly errorMessage?: string;
  readonly lagTimeSeconds: number | null;
  readonly migrationHosts: readonly string[];
  readonly readyForCutover: boolean;
  readonly status: string;
}

/** Whether an error says that a member cannot be reached, is stopping, or is not the primary. */
const isOutage = (error: Error): boolean =>
  error instanceof MongoNetworkError ||
  error instanceof MongoServerSelectionError ||
  (error instanceof MongoError && error.hasErrorLabel('RetryableWriteError'));

export const READER = { username: 'reader', password: SAILOR.password };
const READER_ROLES = ['readAnyDatabase', 'clusterMonitor'].map((roleName) => ({
  roleName,
  databaseName: 'admin',
}));

/** The source cluster of a migration, and a user who can read it. */
export interface SourceCluster {
  readonly path: string;
  /** The connection string with the user's credentials. */
  readonly uri: string;
  /** The connection string without credentials. */
  readonly address: string;
  readonly driver: MongoClient;
}

/** Creates a cluster of another service. Its driver is closed with the scope. */
export async function sourceCluster(
  scope: Scope,
  setup: Setup,
  name: string,
  change = {},
): Promise<SourceCluster> {
  const project = await newProject(setup);
  const path = await newCluster(setup, project, name, change);
  await newUser(setup, project, READER.username, { roles: READER_ROLES });
  await allowAccess(setup, project, path);
  const standard = (await idle(setup.owner, path)).connectionStrings.standard ?? '';
  const { caCertificate } = setup.bootstrap;
  const tlsCAFile = standard.includes('ssl=true') ? caCertificate : undefined;
  const driver = await driverFor(setup, path, { ...LONG_TIMEOUTS, ...(tlsCAFile && { tlsCAFile }) });
  scope.after(() => driver.close());
  const address = tlsCAFile ? `${standard}&tlsCAFile=${encodeURIComponent(tlsCAFile)}` : standard;
  const login = `${encodeURIComponent(READER.username)}:${encodeURIComponent(READER.password)}`;
  return { path, address, uri: address.replace('mongodb://', `mongodb://${login}@`), driver };
}

export async function newLinkToken({ owner, bootstrap }: Setup, body: object = {}): Promise<string> {
  const reply = await owner.post(`/orgs/${bootstrap.orgId}/liveMigrations/linkTokens`, body);
  return expectStatus<{ linkToken: string }>(reply, 201).linkToken;
}

export const caOf = ({ bootstrap }: Setup) =>
  bootstrap.caCertificate === undefined ? [] : ['--ca-file', bootstrap.caCertificate];

/** Starts a migration host for a service. Resolves when it has reported. */
export async function linked(
  scope: Scope,
  setup: Setup,
  sources: readonly string[],
  more: readonly string[] = [],
): Promise<{ host: MigrationHostProcess; token: string }> {
  const token = await newLinkToken(setup);
  setup.keepOutOfLogs(token);
  const host = startMigrationHost(scope, token, sources, [...caOf(setup), ...more]);
  await host.ready();
  return { host, token };
}

export async function availableProjects({ owner, bootstrap }: Setup): Promise<AvailableProject[]> {
  return expectStatus<AvailableProject[]>(
    await owner.get(`/orgs/${bootstrap.orgId}/liveMigrations/availableProjects`),
    200,
  );
}

/** Returns the first reported project, as soon as it has this many deployments. */
export async function reportedProject(setup: Setup, deployments = 1): Promise<AvailableProject> {
  const projects = await until(
    'a project reported',
    () => availableProjects(setup),
    ([project]) => project?.deployments.length === deployments,
  );
  assert.ok(projects[0]);
  return projects[0];
}

/** Returns the request body for a migration with managed authentication. */
export function migrationBody(
  target: string,
  source: { projectId: string; name: string },
  change: object = {},
) {
  const [, groupId, , clusterName] = target.slice(1).split('/');
  return {
    destination: { groupId, clusterName, hostnameSchemaType: 'PUBLIC' },
    source: { groupId: source.projectId, clusterName: source.name, managedAuthentication: true, ssl: false },
    ...change,
  };
}

export const projectOf = (target: string) => `/groups/${target.split('/')[2]}`;

export interface Validation {
  readonly errorMessage: string | null;
  readonly groupId: string;
  readonly sourceGroupId: string;
  readonly status: string;
}

/**
 * Validates a migration. Returns the result. Validates it again if the source responded too late, as on a busy machine.
 */
export function validated(setup: Setup, target: string, body: object): Promise<Validation> {
  return until(
    'a timely response of the source',
    () => validatedOnce(setup, target, body),
    ({ errorMessage }) => !/^The source cannot be reached: .*timed out/.test(errorMessage ?? ''),
  );
}

async function validatedOnce({ owner }: Setup, target: string, body: object): Promise<Validation> {
  const at = `${projectOf(target)}/liveMigrations/validate`;
  const asked = expectStatus<Validation & { _id: string }>(await owner.post(at, body), 200);
  assert.deepEqual([asked.status, asked.errorMessage], ['PENDING', null]);
  const {
    _id,
    links: _,
    ...validation
  } = await until(
    'a validation over',
    async () =>
      expectStatus<Validation & { _id: string; links: unknown }>(await owner.get(`${at}/${asked._id}`), 200),
    ({ status }) => status !== 'PENDING',
  );
  assert.equal(_id, asked._id);
  return validation;
}

export async function migrate(setup: Setup, target: string, body: object): Promise<string> {
  const reply = await setup.owner.post(`${projectOf(target)}/liveMigrations`, body);
  const migration = expectStatus<Migration>(reply, 201);
  return `${projectOf(target)}/liveMigrations/${migration._id}`;
}

export async function migration({ owner }: Setup, path: string): Promise<Migration> {
  return expectStatus<Migration>(await owner.get(path), 200);
}

/** Waits until `fits` accepts a migration. Fails if the migration ends before. */
export async function untilMigration(
  setup: Setup,
  path: string,
  what: string,
  fits: (migration: Migration) => boolean,
): Promise<Migration> {
  const isOver = ({ status }: Migration) => status === 'FAILED' || status === 'EXPIRED';
  const one = await until(
    what,
    () => migration(setup, path),
    (found) => fits(found) || isOver(found),
  );
  if (fits(one)) return one;
  const project = path.split('/').slice(0, 3).join('/');
  const { text } = await setup.owner.get(`${project}/events?itemsPerPage=5`);
  throw new Error(`${what} did not happen: ${JSON.stringify(one)} after ${text}`);
}

export const untilReady = (setup: Setup, path: string) =>
  untilMigration(setup, path, 'ready for the cutover', ({ readyForCutover }) => readyForCutover);

/** Requests the cutover. Retries, since the migration host may fall behind between two requests on a busy machine. */
export async function cutOver(setup: Setup, path: string): Promise<void> {
  await until(
    'the cutover',
    async () => {
      await untilReady(setup, path);
      return setup.owner.send('PUT', `${path}/cutover`);
    },
    ({ status }) => status === 202,
  );
  await untilMigration(setup, path, 'complete', ({ status }) => status === 'COMPLETE');
}

/** Returns the hashes of all collections of a deployment, as the server computes them. */
export async function digestsOf(driver: MongoClient): Promise<Record<string, unknown>> {
  const { databases } = await driver.db('admin').command({ listDatabases: 1 });
  const digests: Record<string, unknown> = {};
  for (const { name } of databases as { name: string }[]) {
    if (['admin', 'config', 'local'].includes(name)) continue;
    const { collections } = await driver.db(name).command({ dbHash: 1 });
    const own = Object.entries(collections).filter(([collection]) => !collection.startsWith('system.'));
    if (own.length > 0) digests[name] = Object.fromEntries(own);
  }
  return digests;
}

/** Connects a driver to the destination, as a user who may read everything. */
export async function targetDriver(scope: Scope, setup: Setup, target: string): Promise<MongoClient> {
  const roles = [{ roleName: 'platformAdmin', databaseName: 'admin' }];
  await newUser(setup, projectOf(target), SAILOR.username, { roles });
  const entries = [{ ipAddress: '127.0.0.1' }];
  expectStatus(await setup.owner.post(`${projectOf(target)}/accessList`, entries), 201);
  await applied(setup.owner, target);
  const driver = await driverFor(setup, target, LONG_TIMEOUTS);
  scope.after(() => driver.close());
  return driver;
}

/** The next number for ids and names of written documents. All writers share it, so that no number is used twice. */
let next = 100_000;

/**
 * The pause between writes. Without it, the writer would use all processors and delay the migration. With it, several
 * hundred writes still happen during and after the copy, which is enough to detect a lost write.
 */
const PACE_MS = 4;

/** A client that writes continuously to a source, until it is stopped or the scope ends. */
export class Writer {
  readonly #driver: MongoClient;
  readonly #dice: Dice;
  #stopped = false;
  #done: Promise<void>;
  written = 0;

  constructor(scope: Scope, driver: MongoClient, dice: Dice) {
    this.#driver = driver;
    this.#dice = dice;
    this.#done = this.#write();
    scope.after(() => this.stop());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
  }

  async #write(): Promise<void> {
    while (!this.#stopped) {
      // While the source is killed, writes may be lost, or applied without a response. Only the data at the end count.
      await this.#one().catch((error: Error) => {
        if (!isOutage(error)) throw error;
      });
      this.written++;
      await setTimeout(PACE_MS);
    }
  }

  async #one(): Promise<unknown> {
    const db = this.#driver.db('harbour');
    const ships = db.collection<Document & { _id: number }>('ships');
    const _id = this.#dice.below(2_000);
    switch (this.#dice.below(12)) {
      case 0:
      case 1:
        return ships.insertOne({ _id: next++, name: `ship ${_id}`, crew: [], hold: { tons: _id } });
      case 2:
        return ships.deleteOne({ _id });
      case 3:
        return ships.updateOne({ _id }, {
          $push: { crew: { name: `sailor ${_id}`, age: this.#dice.below(60) } },
        } as Document);
      case 4:
        return ships.updateOne({ _id }, { $set: { 'hold.tons': next, 'hold.kind': 'tea' } });
      case 5:
        return ships.updateOne({ _id }, { $unset: { 'hold.kind': '' }, $inc: { voyages: 1 } });
      case 6:
        return ships.updateOne({ _id }, { $set: { crew: [] } });
      case 7:
        return ships.replaceOne({ _id }, { name: 'anew', at: new Date() }, { upsert: true });
      case 8:
        return ships.updateOne({ _id, 'crew.1': { $exists: true } }, [
          { $set: { crew: { $slice: ['$crew', 1] } } },
        ]);
      case 9:
        return this.#swap(_id);
      case 10:
        return db.collection('log').insertOne({ line: next++ });
      default:
        return this.#rename();
    }
  }

  /** Moves a unique value from one document to another. */
  async #swap(number: number): Promise<void> {
    const berths = this.#driver.db('harbour').collection<Document & { _id: number }>('berths');
    const [one, other] = [number % 50, (number + 1) % 50];
    await berths.updateOne({ _id: one }, { $set: { ship: `none ${one}` } });
    await berths.updateOne({ _id: other }, { $set: { ship: `ship ${next++}` } });
    await berths.updateOne({ _id: one }, { $set: { ship: `ship ${next++}` } });
  }

  async #rename(): Promise<void> {
    if (this.#dice.below(20) > 0) return;
    const db = this.#driver.db('yard');
    const name = `draft${next++}`;
    await db.collection(name).insertMany([{ of: name }, { of: name }]);
    await db.collection(name).createIndex({ of: 1 });
    await db.renameCollection(name, 'plans', { dropTarget: true });
  }
}

/** Creates collections of every kind at a source. */
export async function fillSource(driver: MongoClient): Promise<void> {
  const db = driver.db('harbour');
  const ships = Array.from({ length: 2_000 }, (_, _id) => ({
    _id,
    name: `ship ${_id}`,
    crew: [],
    hold: { tons: _id },
  }));
  await db.collection<Document & { _id: number }>('ships').insertMany(ships);
  await db.collection('ships').createIndex({ name: 1, 'hold.tons': -1 });
  await db.createCollection('log', { capped: true, size: 20_000, max: 50 });
  await db.collection('log').insertMany(Array.from({ length: 70 }, (_, line) => ({ line })));
  await db.createCollection('berths', {
    collation: { locale: 'de', strength: 2 },
    validator: { ship: { $type: 'string' } },
    validationAction: 'error',
  });
  const berths = Array.from({ length: 50 }, (_, _id) => ({ _id, ship: `first ${_id}` }));
  await db.collection<Document & { _id: number }>('berths').insertMany(berths);
  await db.collection('berths').createIndex({ ship: 1 }, { unique: true });
  await db.createCollection('named', { viewOn: 'ships', pipeline: [{ $project: { name: 1 } }] });
  const guests = driver.db('inn').collection('guests');
  await guests.createIndex({ left: 1 }, { expireAfterSeconds: 3_600 });
  await guests.insertMany([{ left: new Date() }, { left: new Date(Date.now() + 100_000) }]);
  await makeEveryKind(driver.db('kinds'));
}

export async function newTarget(setup: Setup, name: string, change = {}): Promise<string> {
  return newCluster(setup, await newProject(setup), name, change);
}
