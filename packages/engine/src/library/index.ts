/// <reference lib="esnext.disposable" preserve="true" />
/** `portolan/engine`: a database without the service. */
import { askDatabases } from './databases.ts';
import { asyncDispose } from './dispose.ts';
import { oneAfterAnother } from './in-turn.ts';
import { checkNames, checkType, portOf } from './options.ts';

export { CompanionError } from './errors.ts';

export interface EngineOptions {
  /** How many members the replica set has; 1. */
  readonly members?: number;
  /** The port of the first member, the others' follow it; 0, or left out: any that are free. */
  readonly port?: number;
  /** The name of the replica set; `engine`. */
  readonly replicaSet?: string;
  /** What the database says that it is, such as `7.0.28`; `8.2.0`. */
  readonly version?: string;
  /** Keeps the data in this folder; without it they go with the engine. */
  readonly folder?: string;
  /** A user with all privileges. With it, clients must authenticate; without it, they need not. */
  readonly auth?: { readonly username: string; readonly password: string };
}

/** A database that runs. */
export interface Engine extends AsyncDisposable {
  /** The connection string; it names the user, where there is one. */
  readonly uri: string;
  readonly ports: readonly number[];
  /** Takes all data away: from here on it is as it was after the start, at the same ports. */
  reset(): Promise<void>;
  /** Ends it; data without a folder go. */
  close(): Promise<void>;
}

const OPTIONS = ['members', 'port', 'replicaSet', 'version', 'folder', 'auth'];

/**
 * Starts a replica set. Resolves when drivers can connect. Rejects with a TypeError or RangeError for options
 * that it does not have or that are something else, with a `CompanionError` for what cannot be done.
 */
export async function startEngine(options: EngineOptions = {}): Promise<Engine> {
  checkNames('startEngine', options, OPTIONS);
  const { members = 1, replicaSet = 'engine', version = '8.2.0', folder, auth } = options;
  if (!Number.isInteger(members) || members < 1 || members > 50)
    throw new RangeError(`members is 1 to 50; it was ${String(members)}`);
  for (const [name, value] of Object.entries({ replicaSet, version, folder }))
    checkType(name, value, 'string');
  checkType('auth', auth, 'object');
  if (auth !== undefined) checkLogin(auth);
  const port = portOf(options.port, members);
  const request = (ports: readonly (number | undefined)[]) => ({
    replicaSet,
    version,
    open: auth === undefined,
    members: ports.map((each) => (each === undefined ? {} : { port: each })),
    ...(folder === undefined ? {} : { folder }),
    ...(auth === undefined ? {} : { users: [rootOf(auth)] }),
  });
  const wanted = Array.from({ length: members }, (_, i) => (port === undefined ? undefined : port + i));
  let database = await askDatabases('startDatabase', request(wanted));
  const ports = database.members.map((member) => member.port);
  const login = auth && `${encodeURIComponent(auth.username)}:${encodeURIComponent(auth.password)}@`;
  const hosts = ports.map((each) => `127.0.0.1:${each}`).join(',');
  let closed = false;
  const remove = () => askDatabases('removeDatabase', { id: database.id });
  // Two resets at once would start two databases at the same ports.
  const inTurn = oneAfterAnother();
  const close = () => {
    closed = true;
    return inTurn(remove);
  };
  return {
    uri: `mongodb://${login ?? ''}${hosts}/?${auth ? 'authSource=admin&' : ''}replicaSet=${replicaSet}`,
    ports,
    async reset() {
      if (folder !== undefined) throw new Error('an engine whose data are kept in a folder is not reset');
      if (closed) throw new Error('the engine is closed');
      await inTurn(async () => {
        await remove();
        database = await askDatabases('startDatabase', request(ports));
      });
    },
    close,
    [asyncDispose]: close,
  };
}

function checkLogin({ username, password }: { readonly username: string; readonly password: string }): void {
  if (typeof username !== 'string' || typeof password !== 'string')
    throw new TypeError('auth takes a username and a password');
}

function rootOf({ username, password }: { readonly username: string; readonly password: string }) {
  return { createUser: username, pwd: password, roles: ['root'], $db: 'admin' };
}
