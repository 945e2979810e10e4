import type { ServerFact } from '@portolan/engine/interface/capabilities';
import type {
  FoundArguments,
  FoundMachine,
  FoundMember,
  FoundServers,
} from '@portolan/engine/interface/engine';
import type { Document, MongoClient } from 'mongodb';
import { greetingOf, isRouter } from '../replication/deployments.ts';
import { readArguments } from './arguments.ts';
import { canFollowChanges } from './change-streams.ts';
import { canChangeCompatibility, compatibilityOf } from './compatibility.ts';
import { type AdoptedConnection, ask, askIfKnown } from './connection.ts';
import { srvHostIn } from './names.ts';
import {
  type MemberPrivileges,
  mayManageUsers,
  type Privilege,
  privilegeFacts,
  privilegesOf,
  topologyOf,
} from './privileges.ts';
import { Probes } from './probes.ts';
import {
  checkCount,
  checkedReply,
  Databases,
  Hello,
  MAX_MEMBERS,
  MAX_USERS,
  SetConfig,
  Shards,
  Users,
} from './replies.ts';
import { hasSearchIndexes } from './search/index.ts';

interface InspectOptions {
  /**
   * Returns a client for each member that responds, without routers. By default, process arguments are read from any one
   * member, and the members of shards are not asked.
   */
  readonly members?: (() => Promise<readonly MongoClient[]>) | undefined;
  /** Contains results of earlier inspections. */
  readonly probes?: Probes;
  /** How the client connects to the deployment. */
  readonly connection?: AdoptedConnection;
}

/**
 * Determines the version, the topology and the settings of a deployment. Throws if no server answers, or if the
 * credentials are wrong.
 */
export async function inspect(
  client: MongoClient,
  { members = async () => [client], probes = new Probes(), connection }: InspectOptions = {},
): Promise<FoundServers> {
  const greeting = await greetingOf((command) => ask(client, command));
  const hello = checkedReply('hello', Hello, greeting.hello);
  const build = await ask(client, { buildInfo: 1 });
  // Check the login here, since the commands above do not require one.
  checkedReply('listDatabases', Databases, await ask(client, { listDatabases: 1, nameOnly: true }));
  const shards = await shardsOf(client, hello, greeting.shards);
  const all = [...shards.flatMap(({ members }) => members), ...routersOf(client, hello)];
  checkMembers(all);
  const machine = await machineOf(client);
  const status = await askIfKnown(client, { serverStatus: 1 });
  const product = productOf(build);
  const shardMembers = await shardMembersOf(hello, members, client);
  const compatibility = await compatibilityOf(client, shardMembers.clients);
  const maxConnections = connectionsIn(status);
  const privileges = await privilegesOf(client);
  const memberPrivileges = shardMembers.privileges;
  const found = await readArguments(
    {
      client,
      members: isRouter(hello) ? async () => shardMembers.clients : members,
      topology: topologyOf(hello),
    },
    { privileges, memberPrivileges },
  );
  const { tls } = client.options;
  const srvHost = connection && srvHostIn(connection.connectionString);
  return {
    engine: 'adopted',
    facts: await factsOf(client, {
      ...{ hello, status, privileges, memberPrivileges, found, compatibility },
      probes: probes.at(`${build.version} ${compatibility}`),
    }),
    topology: topologyOf(hello),
    version: versionOf(build),
    ...(compatibility === undefined ? {} : { featureCompatibilityVersion: compatibility }),
    ...(product === undefined ? {} : { product }),
    replicaSets: shards.map(({ name }) => name).filter((name) => name !== ''),
    members: all,
    tls: tls === true,
    ...(srvHost === undefined ? {} : { srvHost }),
    ...(Object.keys(found).length > 0 ? { arguments: found } : {}),
    ...(maxConnections > 0 ? { maxConnections } : {}),
    ...(machine === undefined ? {} : { machine }),
  };
}

/**
 * Returns clients of the members of shards that respond, with the privileges that the user has there. Returns none if the
 * user cannot log in to one of them.
 */
async function shardMembersOf(
  hello: Document,
  members: () => Promise<readonly MongoClient[]>,
  router: MongoClient,
): Promise<{ readonly clients: readonly MongoClient[]; readonly privileges: MemberPrivileges }> {
  // Errors of members must not make the deployment seem unreachable, since its routers respond.
  const clients = isRouter(hello) ? await members().catch((): readonly MongoClient[] => []) : [];
  if (clients.includes(router)) return { clients: [], privileges: [] };
  const privileges = await Promise.all(clients.map((one) => privilegesOf(one).catch(() => [])));
  return { clients, privileges };
}

interface FoundShard {
  /** Name of the replica set; empty for a standalone server. */
  readonly name: string;
  readonly members: readonly FoundMember[];
}

/** Returns the shards. `listed` is the reply to `listShards`; absent if the command failed, so it is sent again. */
async function shardsOf(
  client: MongoClient,
  hello: Document,
  listed: Document | undefined,
): Promise<readonly FoundShard[]> {
  if (isRouter(hello)) {
    const reply = listed ?? (await ask(client, { listShards: 1 }));
    const { shards } = checkedReply('listShards', Shards, reply);
    return shards.map(({ host }, shard) => shardIn(host, shard));
  }
  const name = String(hello.setName ?? '');
  if (name === '') return [{ name, members: [memberOf(0, 0, firstHost(client))] }];
  const found = await askIfKnown(client, { replSetGetConfig: 1 });
  if (found === undefined) return [{ name, members: membersIn(hello) }];
  const configured: readonly ConfiguredMember[] = checkedReply('replSetGetConfig', SetConfig, found).config
    .members;
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

/** Throws if there are too many members, or if two members have the same id. */
function checkMembers(members: readonly FoundMember[]): void {
  checkCount(members.length, 'members and routers', MAX_MEMBERS);
  if (new Set(members.map(({ id }) => id)).size < members.length)
    throw new Error('The configuration of the replica set contains an id of a member twice.');
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

/**
 * Returns the version in `buildInfo`, such as 8.0.4, without the suffix of a product or of a release candidate. Throws if
 * it has another form.
 */
function versionOf(build: Document): string {
  const [version] = /^\d{1,3}\.\d{1,3}\.\d{1,5}(?=$|[-+.])/.exec(String(build.version)) ?? [];
  if (version === undefined) throw new Error('The servers report no version such as 8.0.4.');
  return version;
}

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

interface Seen {
  readonly hello: Document;
  readonly status: Document | undefined;
  readonly privileges: readonly Privilege[];
  readonly memberPrivileges: MemberPrivileges;
  readonly found: FoundArguments;
  readonly compatibility: string | undefined;
  readonly probes: Probes;
}

async function factsOf(client: MongoClient, seen: Seen): Promise<ServerFact[]> {
  const { hello, status, privileges, memberPrivileges, found, compatibility } = seen;
  const log = await askIfKnown(client, { getLog: 'global' });
  const [line] = (log?.log ?? []) as readonly string[];
  const granted = privilegeFacts(hello, privileges, memberPrivileges);
  const managesUsers = mayManageUsers(privileges) && (await listsAccounts(client));
  const receivesMigrations = managesUsers && granted.includes('replaceData');
  return [
    ...(line?.startsWith('{"t":') === true ? (['log'] as const) : []),
    ...(status?.opcounters === undefined ? [] : (['statistics'] as const)),
    ...granted,
    ...(Object.keys(found).length > 0 ? (['changeArguments'] as const) : []),
    ...((await canChangeCompatibility(client, compatibility, seen))
      ? (['changeCompatibility'] as const)
      : []),
    ...((await canFollowChanges(client, topologyOf(hello) === 'STANDALONE', seen))
      ? (['changeStreams'] as const)
      : []),
    ...((await hasSearchIndexes(client, privileges)) ? (['searchIndexes'] as const) : []),
    ...(managesUsers ? (['manageUsers'] as const) : []),
    ...(receivesMigrations ? (['receiveMigrations'] as const) : []),
  ];
}

async function listsAccounts(client: MongoClient): Promise<boolean> {
  const name = 'portolan';
  const users = await askIfKnown(client, { usersInfo: [{ user: name, db: 'admin' }] });
  const roles = await askIfKnown(client, { rolesInfo: [{ role: name, db: 'admin' }], showPrivileges: true });
  return users !== undefined && roles !== undefined;
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

/**
 * Databases with the sizes that the server reports, and users by name; absent if the server refuses to list them. Users
 * are also absent if there are very many.
 */
export interface Contents {
  readonly databases?: readonly { readonly name: string; readonly sizeOnDisk?: number }[];
  readonly users?: readonly { readonly user: string; readonly db: string }[];
}

export async function contentsOf(client: MongoClient): Promise<Contents> {
  const listed = await askIfKnown(client, { listDatabases: 1 });
  const known = await askIfKnown(client, { usersInfo: { forAllDBs: true } });
  const { databases } = (listed && checkedReply('listDatabases', Databases, listed)) ?? {};
  const { users = [] } = (known && checkedReply('usersInfo', Users, known)) ?? {};
  return {
    ...(databases && { databases: databases.map(sizeOf) }),
    ...(known && users.length <= MAX_USERS && { users: users.map(nameOf) }),
  };
}

const sizeOf = ({ name, sizeOnDisk }: Document) => ({
  name,
  ...(sizeOnDisk === undefined ? {} : { sizeOnDisk: Number(sizeOnDisk) }),
});
const nameOf = ({ user, db }: Document) => ({ user, db });
