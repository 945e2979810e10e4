import type { ServerFact } from '@portolan/engine/interface/capabilities';
import type { FoundMachine, FoundMember, FoundServers } from '@portolan/engine/interface/engine';
import type { Document, MongoClient } from 'mongodb';
import { isRouter } from '../replication/deployments.ts';
import { ask, askIfKnown } from './connection.ts';

/**
 * Determines the version and topology of a deployment. Throws if no server answers, or if the credentials are wrong.
 */
export async function inspect(client: MongoClient): Promise<FoundServers> {
  const hello = await ask(client, { hello: 1 });
  const build = await ask(client, { buildInfo: 1 });
  // Check the login here, since the commands above do not require one.
  await ask(client, { listDatabases: 1, nameOnly: true });
  const shards = await shardsOf(client, hello);
  const machine = await machineOf(client);
  const status = await askIfKnown(client, { serverStatus: 1 });
  const product = productOf(build);
  const maxConnections = connectionsIn(status);
  const { srvHost, tls } = client.options;
  return {
    engine: 'adopted',
    facts: await factsOf(client, hello, status),
    topology: topologyOf(hello),
    version: String(build.version),
    ...(product === undefined ? {} : { product }),
    replicaSets: shards.map(({ name }) => name).filter((name) => name !== ''),
    members: [...shards.flatMap(({ members }) => members), ...routersOf(client, hello)],
    tls: tls === true,
    ...(srvHost === undefined ? {} : { srvHost }),
    ...(maxConnections > 0 ? { maxConnections } : {}),
    ...(machine === undefined ? {} : { machine }),
  };
}

function topologyOf(hello: Document): FoundServers['topology'] {
  if (isRouter(hello)) return 'SHARDED';
  return hello.setName === undefined ? 'STANDALONE' : 'REPLICA_SET';
}

interface FoundShard {
  /** Name of the replica set; empty for a standalone server. */
  readonly name: string;
  readonly members: readonly FoundMember[];
}

async function shardsOf(client: MongoClient, hello: Document): Promise<readonly FoundShard[]> {
  if (isRouter(hello)) {
    const { shards } = await ask(client, { listShards: 1 });
    return (shards as readonly { readonly host: string }[]).map(({ host }, shard) => shardIn(host, shard));
  }
  const name = String(hello.setName ?? '');
  if (name === '') return [{ name, members: [memberOf(0, 0, firstHost(client))] }];
  const found = await askIfKnown(client, { replSetGetConfig: 1 });
  if (found === undefined) return [{ name, members: membersIn(hello) }];
  const configured = found.config.members as readonly ConfiguredMember[];
  const members = configured.filter(({ arbiterOnly }) => arbiterOnly !== true).map(configuredMember);
  return [{ name, members }];
}

interface ConfiguredMember {
  readonly _id: number;
  readonly host: string;
  readonly priority: number;
  readonly hidden?: boolean;
  readonly arbiterOnly?: boolean;
}

/** Uses the id in the configuration, which a member keeps as long as it belongs to the replica set. */
function configuredMember({ _id, host, priority, hidden }: ConfiguredMember): FoundMember {
  const found = memberOf(0, Number(_id), host);
  return {
    ...found,
    priority: Number(priority),
    kind: Number(priority) > 0 ? 'electable' : 'readOnly',
    ...(hidden === true ? { hidden } : {}),
  };
}

/** Returns the members that `hello` lists, for users who are not allowed to read the configuration. */
function membersIn({ hosts = [], passives = [] }: Document): FoundMember[] {
  const electable = (hosts as string[]).toSorted().map((host, index) => memberOf(0, index, host));
  const others = (passives as string[]).toSorted().map((host, index) => ({
    ...memberOf(0, electable.length + index, host),
    ...({ kind: 'readOnly', priority: 0 } as const),
  }));
  return [...electable, ...others];
}

/** Parses a shard such as `rs0/a:27018,b:27018`. */
function shardIn(text: string, shard: number): FoundShard {
  const [name = '', hosts = ''] = text.includes('/') ? text.split('/') : ['', text];
  return { name, members: hosts.split(',').map((host, index) => memberOf(shard, index, host)) };
}

function routersOf(client: MongoClient, hello: Document): FoundMember[] {
  if (!isRouter(hello)) return [];
  return client.options.hosts.map((address, index) => ({
    ...memberOf(0, index, address.toString()),
    ...({ id: `router-00-${twoDigits(index)}`, kind: 'router', priority: 0 } as const),
  }));
}

function memberOf(shard: number, index: number, address: string): FoundMember {
  const [, host = '', port = '27017'] = /^(.*?)(?::(\d+))?$/.exec(address) ?? [];
  const id = `shard-${twoDigits(shard)}-${twoDigits(index)}`;
  return { id, shard, kind: 'electable', priority: 1, host, port: Number(port) };
}

const twoDigits = (number: number) => String(number).padStart(2, '0');

const firstHost = ({ options }: MongoClient) => String(options.hosts[0]);

/** Returns the name of the product according to `buildInfo`; undefined for MongoDB itself. */
function productOf(build: Document): string | undefined {
  if (build.psmdbVersion !== undefined) return 'Percona Server for MongoDB';
  if (build.ferretdbVersion !== undefined || build.ferretdb !== undefined) return 'FerretDB';
  return undefined;
}

function connectionsIn(status: Document | undefined): number {
  const { current = 0, available = 0 } = status?.connections ?? {};
  return Number(current) + Number(available);
}

async function factsOf(
  client: MongoClient,
  hello: Document,
  status: Document | undefined,
): Promise<ServerFact[]> {
  const log = await askIfKnown(client, { getLog: 'global' });
  const [line] = (log?.log ?? []) as readonly string[];
  const privileges = await privilegesOf(client);
  return [
    ...(line?.startsWith('{"t":') === true ? (['log'] as const) : []),
    ...(status?.opcounters === undefined ? [] : (['statistics'] as const)),
    ...privilegeFacts(hello, privileges),
    ...(mayManageUsers(privileges) && (await listsAccounts(client)) ? (['manageUsers'] as const) : []),
  ];
}

async function listsAccounts(client: MongoClient): Promise<boolean> {
  const name = 'portolan';
  const users = await askIfKnown(client, { usersInfo: [{ user: name, db: 'admin' }] });
  const roles = await askIfKnown(client, { rolesInfo: [{ role: name, db: 'admin' }], showPrivileges: true });
  return users !== undefined && roles !== undefined;
}

interface Privilege {
  readonly resource: {
    readonly cluster?: boolean;
    readonly anyResource?: boolean;
    readonly db?: string;
    readonly collection?: string;
  };
  readonly actions: readonly string[];
}

/**
 * Returns the privileges of the user who is logged in. Returns none if the server does not report them. If the server
 * has no access control, the user has all privileges.
 */
async function privilegesOf(client: MongoClient): Promise<readonly Privilege[]> {
  const status = await askIfKnown(client, { connectionStatus: 1, showPrivileges: true });
  if (status === undefined) return [];
  const { authenticatedUsers = [], authenticatedUserPrivileges = [] } = status?.authInfo ?? {};
  return authenticatedUsers.length === 0 ? EVERYTHING : authenticatedUserPrivileges;
}

const EVERYTHING: readonly Privilege[] = [{ resource: { anyResource: true }, actions: ['anyAction'] }];

function privilegeFacts(hello: Document, privileges: readonly Privilege[]): ServerFact[] {
  return [
    ...(mayStepDown(hello, privileges) ? (['stepDown'] as const) : []),
    ...(mayReplaceData(hello, privileges) ? (['replaceData'] as const) : []),
  ];
}

const includes = ({ actions }: Privilege, wanted: string) =>
  actions.some((action) => action === wanted || action === 'anyAction');

/**
 * Whether the user has the privilege to make a primary step down. Always false on a sharded cluster, because the
 * users of routers do not exist on the members of shards.
 */
function mayStepDown(hello: Document, privileges: readonly Privilege[]): boolean {
  if (topologyOf(hello) !== 'REPLICA_SET') return false;
  return privileges.some(
    (one) =>
      (one.resource.cluster === true || one.resource.anyResource === true) &&
      includes(one, 'replSetStateChange'),
  );
}

/** The actions that a restore performs in every database. */
const REPLACING = [
  'bypassDocumentValidation',
  'collMod',
  'createCollection',
  'createIndex',
  'dropDatabase',
  'find',
  'insert',
  'remove',
  'update',
];

/** Whether a restore can replace databases. A restore uses transactions, which standalone servers do not support. */
function mayReplaceData(hello: Document, privileges: readonly Privilege[]): boolean {
  if (topologyOf(hello) === 'STANDALONE' || hello.logicalSessionTimeoutMinutes == null) return false;
  // A restore to a sharded cluster also shards the collections that it creates.
  return mayEverywhere(privileges, isRouter(hello) ? [...REPLACING, 'enableSharding'] : REPLACING);
}

/** The actions of the role `userAdminAnyDatabase` that the service needs to manage users. */
const MANAGING_USERS = [
  'changeCustomData',
  'changePassword',
  'createRole',
  'createUser',
  'dropRole',
  'dropUser',
  'grantRole',
  'revokeRole',
  'viewRole',
  'viewUser',
];

const mayManageUsers = (privileges: readonly Privilege[]) => mayEverywhere(privileges, MANAGING_USERS);

/** Whether the user may perform all these actions in every database. */
function mayEverywhere(privileges: readonly Privilege[], actions: readonly string[]): boolean {
  const general = privileges.filter(
    ({ resource: { anyResource, db, collection } }) =>
      anyResource === true || (db === '' && collection === ''),
  );
  return actions.every((action) => general.some((one) => includes(one, action)));
}

const MIB = 1024 ** 2;

async function machineOf(client: MongoClient): Promise<FoundMachine | undefined> {
  const host = await askIfKnown(client, { hostInfo: 1 });
  const { numCores, memLimitMB, memSizeMB } = (host?.system ?? {}) as Readonly<Record<string, unknown>>;
  const memory = Number(memLimitMB ?? memSizeMB);
  if (!(Number(numCores) > 0 && memory > 0)) return undefined;
  const { fsTotalSize } = (await askIfKnown(client, { dbStats: 1 }, 'admin')) ?? {};
  const disk = Number(fsTotalSize) > 0 ? { diskBytes: Number(fsTotalSize) } : {};
  return { processors: Number(numCores), memoryBytes: memory * MIB, ...disk };
}

/** Databases with their sizes, and users by name; absent if the server refuses to list them. */
export interface Contents {
  readonly databases?: readonly { readonly name: string; readonly sizeOnDisk: number }[];
  readonly users?: readonly { readonly user: string; readonly db: string }[];
}

export async function contentsOf(client: MongoClient): Promise<Contents> {
  const listed = await askIfKnown(client, { listDatabases: 1 });
  const known = await askIfKnown(client, { usersInfo: { forAllDBs: true } });
  return {
    ...(listed && { databases: listed.databases.map(sizeOf) }),
    ...(known && { users: known.users.map(nameOf) }),
  };
}

const sizeOf = ({ name, sizeOnDisk }: Document) => ({ name, sizeOnDisk: Number(sizeOnDisk) });
const nameOf = ({ user, db }: Document) => ({ user, db });
