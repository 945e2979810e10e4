/** What may be said of a database, by the names that tests already use for it. What has no meaning here is ignored. */

/** Kept as it was given: there is one storage here. */
export type StorageEngine = 'ephemeralForTest' | 'wiredTiger';

/** What `stop` and `cleanup` take away. */
export interface Cleanup {
  /** Delete the data, where they are not in a folder of choice; true. */
  readonly doCleanup?: boolean;
  /** Delete a folder of choice, too; false. */
  readonly force?: boolean;
}

/** Where nothing is said. */
export const USUAL_CLEANUP: Cleanup = { doCleanup: true, force: false };

export interface DisposeOptions {
  /** Whether `await using` stops it; true. */
  readonly enabled?: boolean;
  readonly cleanup?: Cleanup;
}

export interface RoleSpecification {
  readonly role: string;
  readonly db: string;
}

/** What `createUser` takes. */
export interface CreateUser {
  readonly createUser: string;
  readonly pwd: string;
  readonly roles: string | RoleSpecification | readonly (string | RoleSpecification)[];
  /** Where the user is made; `admin`. */
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
  /** Callers have to log in, and a user is made with all privileges; false. */
  readonly enable?: boolean;
  readonly extraUsers?: readonly CreateUser[];
  /** `mongodb-memory-server-root` */
  readonly customRootName?: string;
  /** `rootuser` */
  readonly customRootPwd?: string;
  /** Make the users in a folder that holds data, too; false. */
  readonly force?: boolean;
  /** Without meaning: members have no secret of each other. */
  readonly keyfileContent?: string;
}

export interface ReplicaMemberConfig {
  readonly priority?: number;
  readonly hidden?: boolean;
  /** Without meaning, as all that follow. */
  readonly arbiterOnly?: boolean;
  readonly buildIndexes?: boolean;
  readonly secondaryDelaySecs?: number;
  readonly slaveDelay?: number;
  readonly tags?: unknown;
  readonly votes?: number;
}

export interface MongoMemoryInstanceOptsBase {
  /** `--notablescan` acts; all others are without meaning. */
  readonly args?: string[];
  /** Any that is free. */
  readonly port?: number;
  /** A folder that keeps the data; without it they go with the database. */
  readonly dbPath?: string;
  readonly storageEngine?: StorageEngine;
  readonly replicaMemberConfig?: ReplicaMemberConfig;
  /** Milliseconds that the start may take. */
  readonly launchTimeout?: number;
}

export interface MemoryServerInstanceOpts extends MongoMemoryInstanceOptsBase {
  /** Told again in `instanceInfo`; connection strings do not name it. */
  readonly dbName?: string;
  /** The address to listen on; `::,0.0.0.0` is every one. */
  readonly ip?: string;
  /** The name of the replica set. */
  readonly replSet?: string;
  /** Another port where `port` is taken; true. */
  readonly portGeneration?: boolean;
  /** Without meaning. */
  readonly keyfileLocation?: string;
}

/** Nothing is downloaded: what else may be said of a binary is without meaning. */
export interface MongoBinaryOpts {
  /** What the database says that it is; that of the variable MONGOMS_VERSION, or the newest. */
  readonly version?: string;
  readonly [other: string]: unknown;
}

export interface MongoMemoryServerOpts {
  readonly instance?: MemoryServerInstanceOpts;
  readonly binary?: MongoBinaryOpts;
  /** Without meaning. */
  readonly spawn?: unknown;
  readonly auth?: AutomaticAuth;
  readonly dispose?: DisposeOptions;
}

export interface ReplSetOpts {
  readonly auth?: AutomaticAuth;
  readonly args?: string[];
  /** How many members it has; 1. */
  readonly count?: number;
  readonly dbName?: string;
  readonly ip?: string;
  /** `testset` */
  readonly name?: string;
  /** Without meaning. */
  readonly spawn?: unknown;
  readonly storageEngine?: StorageEngine;
  /** Without meaning: members are elected at once. */
  readonly configSettings?: Readonly<Record<string, unknown>>;
  readonly dispose?: DisposeOptions;
}

export interface MongoMemoryReplSetOpts {
  /** What single members have of their own, in their order. */
  readonly instanceOpts: MongoMemoryInstanceOptsBase[];
  readonly binary: MongoBinaryOpts;
  readonly replSet: ReplSetOpts;
}

const NEWEST = '8.2.0';

/** `7.0.24` of `v7.0.24`, `7.0.0` of `7.0-latest`. */
export function versionOf({ version = process.env.MONGOMS_VERSION }: MongoBinaryOpts = {}): string {
  const [, major, minor = '0', patch = '0'] = /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(version ?? '') ?? [];
  return major === undefined ? NEWEST : `${major}.${minor}.${patch}`;
}

/** With the values of whatever was not said. */
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

/** The commands that make the users. */
export function usersOf(auth: Required<AutomaticAuth>): Readonly<Record<string, unknown>>[] {
  const mechanisms = ['SCRAM-SHA-256'];
  const root = { createUser: auth.customRootName, pwd: auth.customRootPwd, roles: ['root'], mechanisms };
  // A command is named by its first field.
  const extra = auth.extraUsers.map(({ createUser, database = 'admin', roles, ...user }) => ({
    createUser,
    mechanisms,
    ...user,
    roles: Array.isArray(roles) ? roles : [roles],
    $db: database,
  }));
  return [{ ...root, $db: 'admin' }, ...extra];
}

/** One address of those that are to be listened on: the one that stands for every other. */
export function listenOf(ip: string): string {
  const all = ip.split(',').map((each) => each.trim());
  return ['::', '0.0.0.0'].find((every) => all.includes(every)) ?? all[0] ?? '127.0.0.1';
}

export function isAuthOn(auth: AutomaticAuth | undefined): auth is AutomaticAuth {
  return auth?.enable === true;
}
