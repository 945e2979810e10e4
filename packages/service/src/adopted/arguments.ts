import { isDeepStrictEqual } from 'node:util';
import type {
  FoundArguments,
  FoundServers,
  ProcessArguments,
  RefusedArgument,
} from '@portolan/engine/interface/engine';
import { clipped } from '@portolan/foundation/clipped';
import type { Document, MongoClient } from 'mongodb';
import { refusalIn } from './accounts/index.ts';
import { askIfKnown, runOn } from './connection.ts';
import { type MemberPrivileges, mayOnCluster, mayOnMembers, type Privilege } from './privileges.ts';

/** The clients through which process arguments are read and changed. */
interface Servers {
  readonly client: MongoClient;
  /** Returns clients of the members that respond, without routers. Throws if no member responds. */
  members(): Promise<readonly MongoClient[]>;
  readonly topology: FoundServers['topology'];
}

/** The privileges of the user on the deployment, and on the members of the shards of a sharded cluster. */
interface Rights {
  readonly privileges: readonly Privilege[];
  readonly memberPrivileges: MemberPrivileges;
}

type Name = keyof ProcessArguments;

/** How servers report and change a process argument. */
interface Rule {
  /** The action for which the user needs a privilege. */
  readonly action: string;
  readonly read: Document;
  /** Returns the value in the reply to `read`; undefined if the reply contains none. */
  valueIn(reply: Document): unknown;
  /** Returns the command that sets a value. */
  set(value: unknown): Document;
}

/** Returns a number that a server has sent in any numeric type; undefined for other values. */
function numberIn(value: unknown): number | undefined {
  const number = value === undefined || value === null ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** The rule of a server parameter. Each member has its own value, which a restart of the member resets. */
const parameter = (name: string, type: 'boolean' | 'number'): Rule => ({
  action: 'setParameter',
  read: { getParameter: 1, [name]: 1 },
  valueIn: ({ [name]: value }) => {
    if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
    return numberIn(value);
  },
  set: (value) => ({ setParameter: 1, [name]: value }),
});

const ofMembers: { readonly [Key in Name]?: Rule } = {
  noTableScan: parameter('notablescan', 'boolean'),
  transactionLifetimeLimitSeconds: parameter('transactionLifetimeLimitSeconds', 'number'),
};

/**
 * The rule of a default read or write concern. `standard` is the value that servers use as long as no command has set
 * one.
 */
const concern = (
  field: 'defaultReadConcern' | 'defaultWriteConcern',
  part: string,
  standard: string,
): Rule => ({
  action: 'setDefaultRWConcern',
  read: { getDefaultRWConcern: 1 },
  valueIn(reply) {
    const value = String(reply[field]?.[part] ?? standard);
    return value.length <= MAX_CONCERN ? value : undefined;
  },
  set: (value) => ({ setDefaultRWConcern: 1, [field]: { [part]: asConcern(String(value)) } }),
});

/** Names of concerns are those of tags in the configuration of a replica set, or numbers. */
const MAX_CONCERN = 200;

const asConcern = (text: string) => (/^\d+$/.test(text) ? Number(text) : text);

/** Arguments that all members share, and that the servers store. */
const ofDeployment: { readonly [Key in Name]?: Rule } = {
  changeStreamOptionsPreAndPostImagesExpireAfterSeconds: {
    action: 'setClusterParameter',
    read: { getClusterParameter: 'changeStreamOptions' },
    valueIn({ clusterParameters }) {
      const seconds = clusterParameters?.[0]?.preAndPostImages?.expireAfterSeconds;
      return seconds === 'off' ? -1 : numberIn(seconds);
    },
    set: (seconds) => {
      const preAndPostImages = { expireAfterSeconds: seconds === -1 ? 'off' : seconds };
      return { setClusterParameter: { changeStreamOptions: { preAndPostImages } } };
    },
  },
  defaultMaxTimeMS: {
    action: 'setClusterParameter',
    read: { getClusterParameter: 'defaultMaxTimeMS' },
    valueIn({ clusterParameters }) {
      return numberIn(clusterParameters?.[0]?.readOperations);
    },
    set: (readOperations) => ({ setClusterParameter: { defaultMaxTimeMS: { readOperations } } }),
  },
  defaultReadConcern: concern('defaultReadConcern', 'level', 'local'),
  defaultWriteConcern: concern('defaultWriteConcern', 'w', 'majority'),
};

const allowed = (rules: typeof ofMembers, mayDo: (action: string) => boolean): [Name, Rule][] =>
  (Object.entries(rules) as [Name, Rule][]).filter(([, { action }]) => mayDo(action));

/**
 * Returns the process arguments that the servers have, and that a user with these privileges may change, with their
 * values. On a sharded cluster, the arguments of members require `memberPrivileges`. On a standalone server, omits the
 * arguments that members share, because such a server does not accept the commands that set them.
 */
export async function readArguments(
  { client, members, topology }: Servers,
  { privileges, memberPrivileges }: Rights,
): Promise<FoundArguments> {
  const mayDo = (action: string) => mayOnCluster(privileges, action);
  const shared = topology === 'STANDALONE' ? [] : allowed(ofDeployment, mayDo);
  const isSharded = topology === 'SHARDED';
  const own = allowed(ofMembers, isSharded ? (action) => mayOnMembers(memberPrivileges, action) : mayDo);
  const clients = own.length === 0 ? [] : await members();
  const found = await Promise.all([
    ...shared.map(async ([name, rule]) => [name, await valueOn(client, rule)] as const),
    ...own.map(async ([name, rule]) => [name, await commonValue(clients, rule)] as const),
  ]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

async function valueOn(client: MongoClient, { read, valueIn }: Rule): Promise<unknown> {
  const reply = await askIfKnown(client, read);
  return reply && valueIn(reply);
}

/** Returns the value on the members that respond. Returns null if their values differ. Throws if no member responds. */
async function commonValue(members: readonly MongoClient[], rule: Rule): Promise<unknown> {
  const replies = await Promise.allSettled(members.map((member) => valueOn(member, rule)));
  const values = replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : []));
  const [first] = replies;
  if (values.length === 0 && first?.status === 'rejected') throw first.reason;
  return values.every((value) => value === values[0]) ? values[0] : null;
}

/**
 * Changes the process arguments that differ from the wanted ones. Returns those that the servers refuse. Throws if the
 * servers do not respond.
 */
export async function applyArguments(
  { client, members }: Omit<Servers, 'topology'>,
  found: FoundArguments,
  wanted: ProcessArguments,
): Promise<readonly RefusedArgument[]> {
  const refused: RefusedArgument[] = [];
  for (const [name, value] of Object.entries(wanted) as [Name, unknown][]) {
    if (found[name] === undefined || isDeepStrictEqual(found[name], value)) continue;
    const shared = ofDeployment[name];
    const rule = shared ?? ofMembers[name];
    if (rule === undefined) continue;
    const reason = await refusalOf(shared === undefined ? await members() : [client], rule.set(value));
    if (reason !== undefined) refused.push({ name, reason });
  }
  return refused;
}

/**
 * Runs a command on all servers. Returns the reasons of the servers that refuse the command. Returns undefined if no
 * server refuses it.
 */
async function refusalOf(clients: readonly MongoClient[], command: Document): Promise<string | undefined> {
  const replies = await Promise.allSettled(clients.map((client) => runOn(client, command)));
  const errors = replies.flatMap((reply) => (reply.status === 'rejected' ? [reply.reason] : []));
  const refusals = new Set<string>();
  for (const error of errors) {
    const refusal = refusalIn(error);
    if (refusal === undefined) throw error;
    refusals.add(refusal);
  }
  return refusals.size === 0 ? undefined : clipped([...refusals].join('; '));
}
