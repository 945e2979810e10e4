import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { type AnswerChecker, answerChecker } from './answers.ts';
import { bearer, type Client, type Credentials, clientOf, digest, serviceAccount } from './client.ts';
import { type Connection, connectionTo } from './http.ts';
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
  /** The owner's service account, at one of the instances alone. */
  accountAt(instance: number): Client;
  /** Starts what was stopped or killed, on the same data. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Remembers a text that must never be logged. */
  keepOutOfLogs(secret: string): void;
}

export interface SetupOptions {
  readonly settings?: Settings;
  /** Of one instance each, besides those that all have. */
  readonly instanceSettings?: readonly Settings[];
  /** Errors that the tests provoke in the log. */
  readonly expectedErrors?: RegExp;
  /** Variables of the services' environment, besides those of the tests. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** The same suite over every setup; `define` is called while tests are declared, the service runs when they do. */
export function onEachSetup(title: string, define: (setup: Setup) => void, options?: SetupOptions): void {
  for (const kind of setupKinds) onSetup(kind, title, define, options);
}

/**
 * The suite over one of the setups: for rules and shapes that do not depend on the database, where a second run would
 * only cost time. With `EVERY_SETUP` set it runs over all of them.
 */
export function onOneSetup(
  kind: SetupKind,
  title: string,
  define: (setup: Setup) => void,
  options?: SetupOptions,
): void {
  if (process.env.EVERY_SETUP) onEachSetup(title, define, options);
  else onSetup(kind, title, define, options);
}

export function onSetup(
  kind: SetupKind,
  title: string,
  define: (setup: Setup) => void,
  options?: SetupOptions,
): void {
  describe(`${title} (${kind})`, () => {
    const setup = {} as Setup;
    const scope = scopeOf({ after });
    before(async () => Object.assign(setup, await openSetup(scope, kind, options)));
    define(setup);
  });
}

/** Starts a service that ends with `scope`. What it logged is looked through then. */
export async function openSetup(scope: Scope, kind: SetupKind, options: SetupOptions = {}): Promise<Setup> {
  const { instances: count, postgres } = setups[kind];
  const folder = await temporaryFolder(scope);
  const settings = { ...(await sharedSettings(scope, folder, postgres)), ...options.settings };
  const directories = Array.from({ length: count }, (_, index) => join(folder, `instance-${index + 1}`));
  const ports = await Promise.all(directories.map(() => commonSettings(scope)));
  const instances: Service[] = [];
  const connections: Connection[] = [];
  const logs: (() => string)[] = [];
  const secrets: string[] = [];

  async function start(): Promise<void> {
    const started = await Promise.all(
      directories.map((directory, index) =>
        startService(
          scope,
          directory,
          { ...ports[index], ...settings, ...options.instanceSettings?.[index] },
          options.environment,
        ),
      ),
    );
    for (const connection of connections) connection.close();
    instances.splice(0, count, ...started);
    connections.splice(0, count, ...started.map((one) => connectionTo(one.bootstrap.url, one.authority)));
    logs.push(...started.map((one) => one.log));
  }

  const stop = async () => {
    await Promise.all(instances.filter((one) => one.isRunning()).map((one) => one.stop()));
  };
  scope.after(async () => {
    for (const connection of connections) connection.close();
    await stop();
    checkLogs(logs.map((log) => log()).join(''), secrets, options.expectedErrors);
  });
  await start();
  const bootstrap = instances[0]?.bootstrap;
  assert.ok(bootstrap);
  secrets.push(bootstrap.privateKey, bootstrap.clientSecret, bootstrap.operatorToken);
  const checker = await checkerFor(connections[0]);
  const clientWith = (credentials: Credentials) => clientOf(() => connections, credentials, checker);
  const account = serviceAccount(bootstrap.clientId, bootstrap.clientSecret);
  return {
    kind,
    instances,
    bootstrap,
    connections,
    settings,
    owner: clientWith(digest(bootstrap)),
    account: clientWith(account),
    accountAt: (index) => clientOf(() => connections.slice(index, index + 1), account, checker),
    operator: clientWith(bearer(bootstrap.operatorToken)),
    clientWith,
    start,
    stop,
    keepOutOfLogs: (secret) => void secrets.push(secret),
  };
}

/** Instances share a database, the key that seals its secrets, and where snapshots are kept. */
async function sharedSettings(scope: Scope, folder: string, postgres: boolean): Promise<Settings> {
  if (!postgres) return {};
  const database = await postgresDatabase();
  scope.after(() => database.drop());
  const key = join(folder, 'secret.key');
  await mkdir(folder, { recursive: true });
  await writeFile(key, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  return {
    database: database.url,
    'secret-key': key,
    'snapshot-store': join(folder, 'snapshots'),
    'key-folder': join(folder, 'keys'),
  };
}

let known: Promise<AnswerChecker> | undefined;

/** Every service of one build describes itself in the same documents. */
function checkerFor(connection: Connection | undefined): Promise<AnswerChecker> {
  assert.ok(connection);
  known ??= answerChecker(async (target) => {
    const { status, text } = await connection.send({ method: 'GET', target });
    return new Response(text, { status });
  });
  return known;
}

const ERROR = 50;

function checkLogs(text: string, secrets: readonly string[], expected: RegExp | undefined): void {
  for (const secret of secrets) assert.ok(!text.includes(secret), `a secret was logged: ${secret}`);
  const errors = text
    .split('\n')
    .filter((line) => line.startsWith('{') && JSON.parse(line).level >= ERROR)
    .filter((line) => expected?.test(line) !== true);
  assert.deepEqual(errors, [], 'errors were logged');
}
