/**
 * This file contains the options of databases, with the same names as in `mongodb-memory-server`. Options that have
 * no effect are ignored.
 */

/** These values are accepted and reported. They have no effect, because there is only one storage engine. */
export type StorageEngine = 'ephemeralForTest' | 'wiredTiger';

/** Determines what `stop` and `cleanup` delete. */
export interface Cleanup {
  /** True to delete the data, unless the data is in a folder that the caller has chosen. The default is true. */
  readonly doCleanup?: boolean;
  /** True to delete even a folder that the caller has chosen. The default is false. */
  readonly force?: boolean;
}

/** The default of `Cleanup`. */
export const USUAL_CLEANUP: Cleanup = { doCleanup: true, force: false };

export interface DisposeOptions {
  /** True if `await using` stops the server. The default is true. */
  readonly enabled?: boolean;
  readonly cleanup?: Cleanup;
}

export interface RoleSpecification {
  readonly role: string;
  readonly db: string;
}

/** The arguments of `createUser`. */
export interface CreateUser {
  readonly createUser: string;
  readonly pwd: string;
  readonly roles: string | RoleSpecification | readonly (string | RoleSpecification)[];
  /** The authentication database of the user. The default is `admin`. */
  readonly database?: string;
  readonly customData?: Readonly<Record<string, unknown>>;
  readonly mechanisms?: readonly ('SCRAM-SHA-1' | 'SCRAM-SHA-256')[];
  readonly authenticationRestrictions?: readonly {
    readonly clientSource?: string;
    readonly serverAddress?: string;
  }[];
  readonly digestPassword?: boolean;
}

export interface AutomaticAuth {
  /** True to create a user with all privileges and to require authentication; the default is false. */
  readonly enable?: boolean;
  readonly extraUsers?: readonly CreateUser[];
  /** The name of the user with all privileges; the default is `mongodb-memory-server-root`. */
  readonly customRootName?: string;
  /** The password of the user with all privileges; the default is `rootuser`. */
  readonly customRootPwd?: string;
  /** True to create the users even if the folder already contains data. The default is false. */
  readonly force?: boolean;
  /** Has no effect, because members do not authenticate each other. */
  readonly keyfileContent?: string;
}

export interface ReplicaMemberConfig {
  readonly priority?: number;
  readonly hidden?: boolean;
  /** This option and the options below have no effect. */
  readonly arbiterOnly?: boolean;
  readonly buildIndexes?: boolean;
  readonly secondaryDelaySecs?: number;
  readonly slaveDelay?: number;
  readonly tags?: unknown;
  readonly votes?: number;
}

export interface MongoMemoryInstanceOptsBase {
  /** Arguments of the server. Only `--notablescan` has an effect. */
  readonly args?: string[];
  /** The port. By default, any free port is used. */
  readonly port?: number;
  /** The folder of the data. If absent, the data is temporary. */
  readonly dbPath?: string;
  readonly storageEngine?: StorageEngine;
  readonly replicaMemberConfig?: ReplicaMemberConfig;
  /** The time limit of the start, in milliseconds. */
  readonly launchTimeout?: number;
}

export interface MemoryServerInstanceOpts extends MongoMemoryInstanceOptsBase {
  /** The name of a database. It is reported in `instanceInfo`, but connection strings do not contain it. */
  readonly dbName?: string;
  /** The address to listen on. `::,0.0.0.0` means all addresses. */
  readonly ip?: string;
  /** The name of the replica set. */
  readonly replSet?: string;
  /** True to use another port if `port` is taken. The default is true. */
  readonly portGeneration?: boolean;
  /** Has no effect. */
  readonly keyfileLocation?: string;
}

/** The options of the server binary. Nothing is downloaded, so only the version has an effect. */
export interface MongoBinaryOpts {
  /**
   * The version that the database reports. The default is the value of the environment variable MONGOMS_VERSION. If
   * that is not set, the default is the newest version.
   */
  readonly version?: string;
  readonly [other: string]: unknown;
}

export interface MongoMemoryServerOpts {
  readonly instance?: MemoryServerInstanceOpts;
  readonly binary?: MongoBinaryOpts;
  /** Has no effect. */
  readonly spawn?: unknown;
  readonly auth?: AutomaticAuth;
  readonly dispose?: DisposeOptions;
}

export interface ReplSetOpts {
  readonly auth?: AutomaticAuth;
  readonly args?: string[];
  /** Number of members; the default is 1. */
  readonly count?: number;
  readonly dbName?: string;
  readonly ip?: string;
  /** The name of the replica set; the default is `testset`. */
  readonly name?: string;
  /** Has no effect. */
  readonly spawn?: unknown;
  readonly storageEngine?: StorageEngine;
  /** Has no effect, because a primary is elected at once. */
  readonly configSettings?: Readonly<Record<string, unknown>>;
  readonly dispose?: DisposeOptions;
}

export interface MongoMemoryReplSetOpts {
  /** The options of single members, in order. */
  readonly instanceOpts: MongoMemoryInstanceOptsBase[];
  readonly binary: MongoBinaryOpts;
  readonly replSet: ReplSetOpts;
}

const NEWEST = '8.2.0';

/** Parses a version: `v7.0.24` becomes `7.0.24`, and `7.0-latest` becomes `7.0.0`. */
export function versionOf({ version = process.env.MONGOMS_VERSION }: MongoBinaryOpts = {}): string {
  const [, major, minor = '0', patch = '0'] = /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(version ?? '') ?? [];
  return major === undefined ? NEWEST : `${major}.${minor}.${patch}`;
}

/** Completes the options with defaults. */
export function authOf(auth: AutomaticAuth): Required<AutomaticAuth> {
  return {
    enable: true,
    extraUsers: [],
    customRootName: 'mongodb-memory-server-root',
    customRootPwd: 'rootuser',
    force: false,
    keyfileContent: '0123456789',
    ...auth,
  };
}

/** Returns the commands that create the users. */
export function usersOf(auth: Required<AutomaticAuth>): Readonly<Record<string, unknown>>[] {
  const mechanisms = ['SCRAM-SHA-256'];
  const root = { createUser: auth.customRootName, pwd: auth.customRootPwd, roles: ['root'], mechanisms };
  // `createUser` must be the first field, because it names the command.
  const extra = auth.extraUsers.map(({ createUser, database = 'admin', roles, ...user }) => ({
    createUser,
    mechanisms,
    ...user,
    roles: Array.isArray(roles) ? roles : [roles],
    $db: database,
  }));
  return [{ ...root, $db: 'admin' }, ...extra];
}

/**
 * Returns the address to listen on. This is the first address of the list, unless another address of the list means all
 * addresses.
 */
export function listenOf(ip: string): string {
  const all = ip.split(',').map((each) => each.trim());
  return ['::', '0.0.0.0'].find((every) => all.includes(every)) ?? all[0] ?? '127.0.0.1';
}

export function isAuthOn(auth: AutomaticAuth | undefined): auth is AutomaticAuth {
  return auth?.enable === true;
}
