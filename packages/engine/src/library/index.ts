/// <reference lib="esnext.disposable" preserve="true" />
/** `portolan/engine`: a database without the service. */
import { SerialQueue } from '@portolan/foundation/serial-queue';
import { askDatabases } from './databases.ts';
import { asyncDispose } from './dispose.ts';
import { checkNames, checkType, portOf } from './options.ts';

export { CompanionError } from './errors.ts';

export interface EngineOptions {
  /** Number of members of the replica set; the default is 1. */
  readonly members?: number;
  /**
   * The port of the first member. The other members use the next ports. With 0, which is the default, free ports are
   * chosen.
   */
  readonly port?: number;
  /** The name of the replica set; the default is `engine`. */
  readonly replicaSet?: string;
  /** The version that the database reports, such as `7.0.28`; the default is `8.2.0`. */
  readonly version?: string;
  /** The folder of the data. If absent, the data is temporary. */
  readonly folder?: string;
  /** The name and password of a user with all privileges. If set, clients must authenticate. */
  readonly auth?: { readonly username: string; readonly password: string };
}

/** A running database. */
export interface Engine extends AsyncDisposable {
  /** The connection string. With `auth`, it includes the user and password. */
  readonly uri: string;
  readonly ports: readonly number[];
  /** Deletes all data and restores the initial state. The ports stay the same. */
  reset(): Promise<void>;
  /** Stops the database. Deletes the data unless `folder` was given. */
  close(): Promise<void>;
}

const OPTIONS = ['members', 'port', 'replicaSet', 'version', 'folder', 'auth'];

/**
 * Starts a replica set. Resolves when drivers can connect. Rejects with a TypeError or RangeError for invalid options,
 * and with a `CompanionError` if the start fails.
 */
export async function startEngine(options: EngineOptions = {}): Promise<Engine> {
  checkNames('startEngine', options, OPTIONS);
  const { members = 1, replicaSet = 'engine', version = '8.2.0', folder, auth } = options;
  if (!Number.isInteger(members) || members < 1 || members > 50)
    throw new RangeError(`members must be from 1 to 50; it was ${String(members)}`);
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
  // Resets run one after another, because concurrent resets would start two databases on the same ports.
  const queue = new SerialQueue();
  const close = () => {
    closed = true;
    return queue.run(remove);
  };
  return {
    uri: `mongodb://${login ?? ''}${hosts}/?${auth ? 'authSource=admin&' : ''}replicaSet=${replicaSet}`,
    ports,
    async reset() {
      if (folder !== undefined) throw new Error('an engine with a data folder cannot be reset');
      if (closed) throw new Error('the engine is closed');
      await queue.run(async () => {
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
    throw new TypeError('auth requires a username and a password');
}

function rootOf({ username, password }: { readonly username: string; readonly password: string }) {
  return { createUser: username, pwd: password, roles: ['root'], $db: 'admin' };
}
