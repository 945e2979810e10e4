/** The options of databases, by the names that tests already use. Options without effect are ignored. */

/** Accepted and reported, but without effect: there is one storage engine. */
export type StorageEngine = 'ephemeralForTest' | 'wiredTiger';

/** What `stop` and `cleanup` delete. */
export interface Cleanup {
  /** Delete the data, unless they are in a chosen folder; default: true. */
  readonly doCleanup?: boolean;
  /** Delete a chosen folder, too; default: false. */
  readonly force?: boolean;
}

/** The default. */
export const USUAL_CLEANUP: Cleanup = { doCleanup: true, force: false };

export interface DisposeOptions {
  /** Whether `await using` stops it; default: true. */
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
  /** The database of the user; default: `admin`. */
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
  /** Clients must authenticate, and a user with all privileges is created; default: false. */
  readonly enable?: boolean;
  readonly extraUsers?: readonly CreateUser[];
  /** Default: `mongodb-memory-server-root`. */
  readonly customRootName?: string;
  /** Default: `rootuser`. */
  readonly customRootPwd?: string;
  /** Create the users even in a folder with data; default: false. */
  readonly force?: boolean;
  /** No effect: members do not authenticate each other. */
  readonly keyfileContent?: string;
}

export interface ReplicaMemberConfig {
  readonly priority?: number;
  readonly hidden?: boolean;
  /** No effect, like all options below. */
  readonly arbiterOnly?: boolean;
  readonly buildIndexes?: boolean;
  readonly secondaryDelaySecs?: number;
  readonly slaveDelay?: number;
  readonly tags?: unknown;
  readonly votes?: number;
}

export interface MongoMemoryInstanceOptsBase {
  /** Only `--notablescan` has an effect. */
  readonly args?: string[];
  /** Default: any free port. */
  readonly port?: number;
  /** The folder of the data; without it, the data is temporary. */
  readonly dbPath?: string;
  readonly storageEngine?: StorageEngine;
  readonly replicaMemberConfig?: ReplicaMemberConfig;
  /** The time limit of the start in milliseconds. */
  readonly launchTimeout?: number;
}

export interface MemoryServerInstanceOpts extends MongoMemoryInstanceOptsBase {
  /** Only reported in `instanceInfo`; connection strings do not contain it. */
  readonly dbName?: string;
  /** The listen address; `::,0.0.0.0` means all. */
  readonly ip?: string;
  /** The name of the replica set. */
  readonly replSet?: string;
  /** Use another port if `port` is taken; default: true. */
  readonly portGeneration?: boolean;
  /** No effect. */
  readonly keyfileLocation?: string;
}

/** Nothing is downloaded, so all other options of the binary have no effect. */
export interface MongoBinaryOpts {
  /** The version that the database reports; default: the variable MONGOMS_VERSION, or the newest. */
  readonly version?: string;
  readonly [other: string]: unknown;
}

export interface MongoMemoryServerOpts {
  readonly instance?: MemoryServerInstanceOpts;
  readonly binary?: MongoBinaryOpts;
  /** No effect. */
  readonly spawn?: unknown;
  readonly auth?: AutomaticAuth;
  readonly dispose?: DisposeOptions;
}

export interface ReplSetOpts {
  readonly auth?: AutomaticAuth;
  readonly args?: string[];
  /** The number of members; default: 1. */
  readonly count?: number;
  readonly dbName?: string;
  readonly ip?: string;
  /** Default: `testset`. */
  readonly name?: string;
  /** No effect. */
  readonly spawn?: unknown;
  readonly storageEngine?: StorageEngine;
  /** No effect: members are elected at once. */
  readonly configSettings?: Readonly<Record<string, unknown>>;
  readonly dispose?: DisposeOptions;
}

export interface MongoMemoryReplSetOpts {
  /** Options of single members, in order. */
  readonly instanceOpts: MongoMemoryInstanceOptsBase[];
  readonly binary: MongoBinaryOpts;
  readonly replSet: ReplSetOpts;
}

const NEWEST = '8.2.0';

/** Parses a version: `7.0.24` for `v7.0.24`, `7.0.0` for `7.0-latest`. */
export function versionOf({ version = process.env.MONGOMS_VERSION }: MongoBinaryOpts = {}): string {
  const [, major, minor = '0', patch = '0'] = /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(version ?? '') ?? [];
  return major === undefined ? NEWEST : `${major}.${minor}.${patch}`;
}

/** Fills in the default values. */
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

/** The commands that create the users. */
export function usersOf(auth: Required<AutomaticAuth>): Readonly<Record<string, unknown>>[] {
  const mechanisms = ['SCRAM-SHA-256'];
  const root = { createUser: auth.customRootName, pwd: auth.customRootPwd, roles: ['root'], mechanisms };
  // The first field names the command.
  const extra = auth.extraUsers.map(({ createUser, database = 'admin', roles, ...user }) => ({
    createUser,
    mechanisms,
    ...user,
    roles: Array.isArray(roles) ? roles : [roles],
    $db: database,
  }));
  return [{ ...root, $db: 'admin' }, ...extra];
}

/** The listen address: the first one, unless one of them covers all. */
export function listenOf(ip: string): string {
  const all = ip.split(',').map((each) => each.trim());
  return ['::', '0.0.0.0'].find((every) => all.includes(every)) ?? all[0] ?? '127.0.0.1';
}

export function isAuthOn(auth: AutomaticAuth | undefined): auth is AutomaticAuth {
  return auth?.enable === true;
}
