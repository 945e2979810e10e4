import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { type AnswerChecker, answerChecker } from './answers.ts';
import { bearer, type Client, type Credentials, clientOf, digest, serviceAccount } from './client.ts';
import { makeFirstAccess } from './first-access.ts';
import { type Connection, connectionTo, type Reply } from './http.ts';
import { keptDocuments } from './kept-documents.ts';
import type { Get } from './openapi.ts';
import { postgresDatabase } from './postgres.ts';
import {
  type Bootstrap,
  commonSettings,
  type Scope,
  type Service,
  type Settings,
  scopeOf,
  startService,
  temporaryFolder,
} from './service.ts';

/** The setups of a service. Every whole-service suite must pass with each of them. */
const setups = {
  'SQLite, one instance': { instances: 1, postgres: false },
  'PostgreSQL, two instances': { instances: 2, postgres: true },
} as const;

export type SetupKind = keyof typeof setups;
export const setupKinds = Object.keys(setups) as SetupKind[];

/** A running service, and clients that call it. Requests go to its instances in turn. */
export interface Setup {
  readonly kind: SetupKind;
  readonly instances: readonly Service[];
  readonly bootstrap: Bootstrap;
  /** A client that uses the owner's API key with Digest. */
  readonly owner: Client;
  /** A client that uses an access token of the owner's service account. */
  readonly account: Client;
  readonly operator: Client;
  readonly connections: readonly Connection[];
  /** The settings that all instances have. */
  readonly settings: Settings;
  /** Throws if the OpenAPI documents do not describe a response. Clients of the setup check all their responses. */
  checkAnswer(reply: Reply): void;
  clientWith(credentials: Credentials): Client;
  /** Returns a client that calls a single instance. */
  clientAt(instance: number, credentials: Credentials): Client;
  /** Returns a client that calls a single instance with the owner's service account. */
  accountAt(instance: number): Client;
  /** Starts the instances that were stopped or killed again, on the same data. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Registers a text that must never be logged. */
  keepOutOfLogs(secret: string): void;
  /** Checks the log since the last call. Fails for errors that `expected` does not match. */
  checkLogs(expected?: RegExp): void;
}

export interface SetupOptions {
  readonly settings?: Settings;
  /** Settings of single instances, in addition to the common ones. */
  readonly instanceSettings?: readonly Settings[];
  /** Matches the errors in the log that the tests provoke. */
  readonly expectedErrors?: RegExp;
  /** Environment variables of the services, in addition to those of the tests. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Environment variables of single instances, in addition to the common ones. */
  readonly instanceEnvironments?: readonly NodeJS.ProcessEnv[];
  /** The number of instances. By default, the setup determines it. */
  readonly instances?: number;
  /** The URL of an empty database. By default, a new one is created. */
  readonly database?: string;
}

type Define = (setup: Setup) => void;

/** Declares a suite by calling `define`. `open` opens the setup when the suite runs. */
function declareSuite(title: string, define: Define, open: (scope: Scope) => Promise<Setup>): void {
  describe(title, () => {
    const setup = {} as Setup;
    const scope = scopeOf({ after });
    before(async () => Object.assign(setup, await open(scope)));
    define(setup);
  });
}

/** How suites may share a service with others, if `shareSetups` was called. */
type Sharing = 'as it is' | 'moving its clock';

/** Returns functions that declare suites. The suites share a service, or each has its own. */
function suites(sharing?: Sharing) {
  function onSetup(kind: SetupKind, title: string, define: Define, options: SetupOptions = {}): void {
    const { expectedErrors, ...others } = options;
    const isShared = Object.keys(others).length === 0;
    declareSuite(`${title} (${kind})`, define, (scope) =>
      sharing && isShared ? joinSetup(scope, kind, sharing, expectedErrors) : openSetup(scope, kind, options),
    );
  }

  /** Declares a suite for each of the setups. `define` is called at once; the service runs while the tests run. */
  function onEachSetup(title: string, define: Define, options?: SetupOptions): void {
    for (const kind of setupKinds) onSetup(kind, title, define, options);
  }

  /**
   * Declares a suite for a single setup, for tests that do not depend on the database. With `EVERY_SETUP`, the suite
   * runs with all setups.
   */
  function onOneSetup(kind: SetupKind, title: string, define: Define, options?: SetupOptions): void {
    if (process.env.EVERY_SETUP) onEachSetup(title, define, options);
    else onSetup(kind, title, define, options);
  }

  return { onSetup, onEachSetup, onOneSetup };
}

export const { onSetup, onEachSetup, onOneSetup } = suites('as it is');

/**
 * For suites that move the clock. At the start of a suite, the clock runs, and shows the time at which the previous
 * suite left it. Suites that wait for scheduled work, such as the backup schedule of a cluster, must use `own` instead.
 * Their scheduled work would also happen during later suites.
 */
export const timed = suites('moving its clock');

/** For suites that stop the service or an engine host, look at other organizations, or create dozens of clusters. */
export const own = suites();

/** Starts a service that ends with `scope`. Its log is checked at the end. */
export async function openSetup(scope: Scope, kind: SetupKind, options: SetupOptions = {}): Promise<Setup> {
  const { postgres, instances: usual } = setups[kind];
  const { instances: count = usual } = options;
  const folder = await temporaryFolder(scope);
  const shared = postgres ? await sharedSettings(scope, folder, options.database) : {};
  const settings = { ...shared, ...options.settings };
  const directories = Array.from({ length: count }, (_, index) => join(folder, `instance-${index + 1}`));
  const ports = await Promise.all(directories.map(() => commonSettings(scope)));
  const instances: Service[] = [];
  const connections: Connection[] = [];
  const logs: { readonly read: () => string; checked: number }[] = [];
  const secrets: string[] = [];

  async function startOne(index: number, directory: string): Promise<void> {
    if (instances[index]?.isRunning() === true) return;
    const own = { ...settings, ...options.instanceSettings?.[index] };
    const environment = { ...options.environment, ...options.instanceEnvironments?.[index] };
    const started = await startService(scope, directory, { ...ports[index], ...own }, environment);
    connections[index]?.close();
    instances[index] = started;
    connections[index] = connectionTo(started.bootstrap.url, started.authority);
    logs.push({ read: started.log, checked: 0 });
  }

  async function start(): Promise<void> {
    await Promise.all(directories.map((directory, index) => startOne(index, directory)));
  }

  function checkLogs(end?: 'end', expected = options.expectedErrors): void {
    for (const log of logs) {
      const text = log.read();
      // Skip the last line of a running service's log, since the line may be incomplete.
      const length = end ? text.length : text.lastIndexOf('\n') + 1;
      checkLog(text.slice(log.checked, length), secrets, expected);
      log.checked = length;
    }
  }

  const stop = async () => {
    await Promise.all(instances.filter((one) => one.isRunning()).map((one) => one.stop()));
  };
  scope.after(async () => {
    for (const connection of connections) connection.close();
    await stop();
    checkLogs('end');
  });
  await start();
  const bootstrap = instances[0]?.bootstrap;
  assert.ok(bootstrap);
  secrets.push(bootstrap.privateKey, bootstrap.clientSecret, bootstrap.operatorToken);
  const checker = await checkerFor(connections[0], options.settings);
  const clientWith = (credentials: Credentials) => clientOf(() => connections, credentials, checker);
  const clientAt = (index: number, credentials: Credentials) =>
    clientOf(() => connections.slice(index, index + 1), credentials, checker);
  return {
    kind,
    instances,
    connections,
    settings,
    ...calledBy(bootstrap, { clientWith, clientAt }),
    operator: clientWith(bearer(bootstrap.operatorToken)),
    checkAnswer: (reply) => checker.check({ ...reply, body: reply.text }),
    clientWith,
    clientAt,
    start,
    stop,
    keepOutOfLogs: (secret) => void secrets.push(secret),
    checkLogs: (expected) => checkLogs(undefined, expected),
  };
}

/** Returns clients that use the key and the account from the first start. */
function calledBy(bootstrap: Bootstrap, { clientWith, clientAt }: Pick<Setup, 'clientWith' | 'clientAt'>) {
  const account = serviceAccount(bootstrap.clientId, bootstrap.clientSecret);
  return {
    bootstrap,
    owner: clientWith(digest(bootstrap)),
    account: clientWith(account),
    accountAt: (instance: number) => clientAt(instance, account),
  };
}

/** The shared services of this process, and the scope that stops them; undefined if each suite has its own service. */
let shared: { readonly setups: Map<string, Promise<Setup>>; readonly scope: Scope } | undefined;

/**
 * From now until the scope ends, suites without settings share one service for each setup.
 *
 * @public used in the generated module of a group of files (`scripts/suite/groups.ts`)
 */
export function shareSetups(scope: Scope): void {
  shared = { setups: new Map(), scope: scopeOf(scope) };
}

/** Returns the shared service of a setup, with a new organization for the suite. */
async function joinSetup(
  scope: Scope,
  kind: SetupKind,
  sharing: Sharing,
  expectedErrors: RegExp | undefined,
): Promise<Setup> {
  if (shared === undefined) return openSetup(scope, kind, expectedErrors && { expectedErrors });
  const { setups: opened } = shared;
  const key = `${kind}, ${sharing}`;
  const known = opened.get(key) ?? openSetup(shared.scope, kind);
  opened.set(key, known);
  // Remove a service that could not be started, so that only one suite fails.
  known.catch(() => opened.delete(key));
  const whole = await known;
  scope.after(() => whole.checkLogs(expectedErrors));
  if (sharing === 'as it is') return withFirstAccess(whole, sparing(whole.operator));
  scope.after(() => whole.operator.patch(CLOCK, { frozen: false, rate: 1 }));
  return withFirstAccess(whole, whole.operator);
}

/**
 * Returns the same service with a new organization. The organization has everything that a first start creates, and the
 * clients are those of its owner.
 */
async function withFirstAccess(setup: Setup, operator: Client): Promise<Setup> {
  const access = await makeFirstAccess(setup.owner, setup.clientWith);
  setup.keepOutOfLogs(access.privateKey);
  setup.keepOutOfLogs(access.clientSecret);
  return {
    ...setup,
    ...calledBy({ ...setup.bootstrap, ...access }, setup),
    operator,
    start: refuse,
    stop: refuse,
  };
}

async function refuse(): Promise<never> {
  throw new Error(
    'other suites share this service: declare the suite with own.onOneSetup, or timed.onOneSetup',
  );
}

const CLOCK = '/operator/v1/clock';

/** Returns a client of the operator that cannot change the clock. */
function sparing(operator: Client): Client {
  const patch: Client['patch'] = (path, ...more) =>
    path === CLOCK ? refuse() : operator.patch(path, ...more);
  return { ...operator, patch };
}

/** Settings of instances that share a database, its secret key and the snapshot store. */
async function sharedSettings(scope: Scope, folder: string, url: string | undefined): Promise<Settings> {
  const database = url ?? (await newDatabase(scope));
  const key = join(folder, 'secret.key');
  await mkdir(folder, { recursive: true });
  await writeFile(key, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  return {
    database,
    'secret-key': key,
    'snapshot-store': join(folder, 'snapshots'),
    'key-folder': join(folder, 'keys'),
  };
}

async function newDatabase(scope: Scope): Promise<string> {
  const database = await postgresDatabase();
  scope.after(() => database.drop());
  return database.url;
}

let known: Promise<AnswerChecker> | undefined;

/** Returns the checker of responses. Services share it, since they have the same documents, apart from rate limits. */
function checkerFor(connection: Connection | undefined, settings: Settings = {}): Promise<AnswerChecker> {
  assert.ok(connection);
  const get: Get = (target) => connection.send({ method: 'GET', target });
  known ??= answerChecker('rate-limited' in settings ? get : keptDocuments(get));
  return known;
}

const ERROR = 50;
/** Matches errors on a machine that stalls. Even a healthy database server or engine host then responds too late. */
const STALLED = /terminated due to connection timeout|the engine host does not respond/;

function checkLog(text: string, secrets: readonly string[], expected: RegExp | undefined): void {
  for (const secret of secrets) assert.ok(!text.includes(secret), `a secret was logged: ${secret}`);
  const errors = text
    .split('\n')
    .filter((line) => line.startsWith('{') && JSON.parse(line).level >= ERROR)
    .filter((line) => expected?.test(line) !== true && !STALLED.test(line));
  assert.deepEqual(errors, [], 'errors were logged');
}
