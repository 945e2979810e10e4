import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { type AnswerChecker, answerChecker } from './answers.ts';
import { bearer, type Client, type Credentials, clientOf, digest, serviceAccount } from './client.ts';
import { makeFirstAccess } from './first-access.ts';
import { type Connection, connectionTo } from './http.ts';
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

/** How a service can be set up; every whole-service suite passes on each. */
const setups = {
  'SQLite, one instance': { instances: 1, postgres: false },
  'PostgreSQL, two instances': { instances: 2, postgres: true },
} as const;

export type SetupKind = keyof typeof setups;
const setupKinds = Object.keys(setups) as SetupKind[];

/** A service that runs, and those who call it. Requests go to its instances in turn. */
export interface Setup {
  readonly kind: SetupKind;
  readonly instances: readonly Service[];
  readonly bootstrap: Bootstrap;
  /** The owner's API key, with Digest. */
  readonly owner: Client;
  /** The owner's service account, with an access token. */
  readonly account: Client;
  readonly operator: Client;
  readonly connections: readonly Connection[];
  /** What every instance was started with. */
  readonly settings: Settings;
  clientWith(credentials: Credentials): Client;
  /** At one of the instances alone. */
  clientAt(instance: number, credentials: Credentials): Client;
  /** The owner's service account, at one of the instances alone. */
  accountAt(instance: number): Client;
  /** Starts what was stopped or killed, on the same data. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Remembers a text that must never be logged. */
  keepOutOfLogs(secret: string): void;
  /** Looks through what was logged since this was last asked; other errors are expected where it says so. */
  checkLogs(expected?: RegExp): void;
}

export interface SetupOptions {
  readonly settings?: Settings;
  /** Of one instance each, besides those that all have. */
  readonly instanceSettings?: readonly Settings[];
  /** Errors that the tests provoke in the log. */
  readonly expectedErrors?: RegExp;
  /** Variables of the services' environment, besides those of the tests. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Of one instance each, besides. */
  readonly instanceEnvironments?: readonly NodeJS.ProcessEnv[];
  /** How many there are; by default as many as the kind says. */
  readonly instances?: number;
  /** The URL of an empty database; by default one is made. */
  readonly database?: string;
}

type Define = (setup: Setup) => void;

/** Has `define` declare a suite in which the setup that `open` answers runs. */
function declareSuite(title: string, define: Define, open: (scope: Scope) => Promise<Setup>): void {
  describe(title, () => {
    const setup = {} as Setup;
    const scope = scopeOf({ after });
    before(async () => Object.assign(setup, await open(scope)));
    define(setup);
  });
}

/** Suites that share a service where `shareSetups` says so, with others that do with it the same. */
type Sharing = 'as it is' | 'moving its clock';

/** Suites of such a sharing, or such that have a service of their own. */
function suites(sharing?: Sharing) {
  function onSetup(kind: SetupKind, title: string, define: Define, options: SetupOptions = {}): void {
    const { expectedErrors, ...others } = options;
    const isShared = Object.keys(others).length === 0;
    declareSuite(`${title} (${kind})`, define, (scope) =>
      sharing && isShared ? joinSetup(scope, kind, sharing, expectedErrors) : openSetup(scope, kind, options),
    );
  }

  /** The same suite over every setup; `define` is called while tests are declared, the service runs when they do. */
  function onEachSetup(title: string, define: Define, options?: SetupOptions): void {
    for (const kind of setupKinds) onSetup(kind, title, define, options);
  }

  /**
   * The suite over one of the setups: for rules and shapes that do not depend on the database, where a second run
   * would only cost time. With `EVERY_SETUP` set it runs over all of them.
   */
  function onOneSetup(kind: SetupKind, title: string, define: Define, options?: SetupOptions): void {
    if (process.env.EVERY_SETUP) onEachSetup(title, define, options);
    else onSetup(kind, title, define, options);
  }

  return { onSetup, onEachSetup, onOneSetup };
}

export const { onSetup, onEachSetup, onOneSetup } = suites('as it is');

/**
 * For suites that move the clock on: each finds it where another has left it, and going. What waits for service time, as
 * the schedule of a cluster's backups, does its work in the suites that follow, too: those have services of their own.
 */
export const timed = suites('moving its clock');

/** For suites that stop the service or an engine host, or look at what is not of their organization. */
export const own = suites();

/** Starts a service that ends with `scope`. What it logged is looked through then. */
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
      // Of a service that still runs the last line may be half written.
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
    clientWith,
    clientAt,
    start,
    stop,
    keepOutOfLogs: (secret) => void secrets.push(secret),
    checkLogs: (expected) => checkLogs(undefined, expected),
  };
}

/** Those who own what a first start has made. */
function calledBy(bootstrap: Bootstrap, { clientWith, clientAt }: Pick<Setup, 'clientWith' | 'clientAt'>) {
  const account = serviceAccount(bootstrap.clientId, bootstrap.clientSecret);
  return {
    bootstrap,
    owner: clientWith(digest(bootstrap)),
    account: clientWith(account),
    accountAt: (instance: number) => clientAt(instance, account),
  };
}

/** What the suites of this process share, and how it ends; absent where each is to have services of its own. */
let shared: { readonly setups: Map<string, Promise<Setup>>; readonly scope: Scope } | undefined;

/**
 * From now on suites without settings share a service of their kind, until the scope is over.
 * @public written into the module of a group of files (`scripts/suite/groups.ts`)
 */
export function shareSetups(scope: Scope): void {
  shared = { setups: new Map(), scope: scopeOf(scope) };
}

/** The shared service of a kind, with an organization of its own for those who ask. */
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
  // One that could not be started fails a single suite.
  known.catch(() => opened.delete(key));
  const whole = await known;
  scope.after(() => whole.checkLogs(expectedErrors));
  if (sharing === 'as it is') return withFirstAccess(whole, sparing(whole.operator));
  scope.after(() => whole.operator.patch(CLOCK, { frozen: false, rate: 1 }));
  return withFirstAccess(whole, whole.operator);
}

/** The same service for those who have another organization, and in it what the first start makes. */
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

/** An operator who leaves the clock alone. */
function sparing(operator: Client): Client {
  const patch: Client['patch'] = (path, ...more) =>
    path === CLOCK ? refuse() : operator.patch(path, ...more);
  return { ...operator, patch };
}

/** Instances share a database, the key that seals its secrets, and where snapshots are kept. */
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

/** Every service of one build describes itself in the same documents, but for the operations whose rate is limited. */
function checkerFor(connection: Connection | undefined, settings: Settings = {}): Promise<AnswerChecker> {
  assert.ok(connection);
  const get: Get = (target) => connection.send({ method: 'GET', target });
  known ??= answerChecker('rate-limited' in settings ? get : keptDocuments(get));
  return known;
}

const ERROR = 50;

function checkLog(text: string, secrets: readonly string[], expected: RegExp | undefined): void {
  for (const secret of secrets) assert.ok(!text.includes(secret), `a secret was logged: ${secret}`);
  const errors = text
    .split('\n')
    .filter((line) => line.startsWith('{') && JSON.parse(line).level >= ERROR)
    .filter((line) => expected?.test(line) !== true);
  assert.deepEqual(errors, [], 'errors were logged');
}
