import type { FoundServers } from '@portolan/engine/interface/engine';
import type { Document, MongoClient, TopologyDescription } from 'mongodb';
import { ask, askIfKnown } from './connection.ts';
import { checkedReply, SetStatus } from './replies.ts';

/** Which members of a deployment are reachable, and their states. */
export interface Health {
  /** The primaries of the replica sets, in the order of shards; replica sets without a primary are omitted. */
  readonly primaries: readonly string[];
  /** Ids of the unreachable members. */
  readonly down: readonly string[];
  /** How many seconds each member is behind the primary, by member id. */
  readonly lags: ReadonlyMap<string, number>;
}

/**
 * Returns the health of a replica set or a standalone server, according to any member. Throws if no member replies.
 * `seen` contains the servers that the driver has discovered. A member that the driver cannot reach counts as down,
 * even if other members can reach it.
 */
export async function healthOf(
  client: MongoClient,
  { topology, members }: FoundServers,
  seen: TopologyDescription | undefined,
): Promise<Health> {
  const ids = new Map(members.map(({ id, host, port }) => [`${host}:${port}`, id]));
  const unreachable = [...(seen?.servers.values() ?? [])].flatMap(({ address, type, error }) =>
    type === 'Unknown' && error !== null ? (ids.get(address) ?? []) : [],
  );
  if (topology === 'STANDALONE') {
    await ask(client, { ping: 1 });
    return { primaries: members.map(({ id }) => id), down: [], lags: new Map() };
  }
  const status = await askIfKnown(client, { replSetGetStatus: 1 });
  if (status === undefined) return fromDriver(client, ids, { seen, unreachable });
  const listed: readonly MemberStatus[] = checkedReply('replSetGetStatus', SetStatus, status).members;
  const found = listed.flatMap((member) => {
    const id = ids.get(member.name);
    return id === undefined ? [] : [{ ...member, id }];
  });
  const down = new Set([
    ...unreachable,
    ...found.filter(({ health }) => Number(health) !== 1).map(({ id }) => id),
  ]);
  const primary = found.find(({ stateStr, id }) => stateStr === 'PRIMARY' && !down.has(id));
  return {
    primaries: primary === undefined ? [] : [primary.id],
    down: [...down],
    lags: new Map(found.map((member) => [member.id, lagOf(member, primary)])),
  };
}

interface MemberStatus {
  readonly name: string;
  readonly health: number;
  readonly stateStr: string;
  readonly optimeDate?: unknown;
}

function lagOf({ optimeDate }: MemberStatus, primary: MemberStatus | undefined): number {
  const [ahead, own] = [primary?.optimeDate, optimeDate];
  const behind = ahead instanceof Date && own instanceof Date ? ahead.getTime() - own.getTime() : 0;
  return Math.max(0, behind / 1000);
}

async function fromDriver(
  client: MongoClient,
  ids: ReadonlyMap<string, string>,
  { seen, unreachable }: { seen: TopologyDescription | undefined; unreachable: readonly string[] },
): Promise<Health> {
  const hello: Document = await ask(client, { hello: 1 });
  const known = [...(seen?.servers.values() ?? [])].find(({ type }) => type === 'RSPrimary')?.address;
  const primary = ids.get(known ?? String(hello.primary));
  return { primaries: primary === undefined ? [] : [primary], down: unreachable, lags: new Map() };
}

/**
 * Returns the health of a sharded cluster. Routers do not report which members are primary, so `hello` is sent to each
 * member.
 */
export async function shardedHealth(
  client: MongoClient,
  { members }: FoundServers,
  hello: (address: string) => Promise<Document>,
): Promise<Health> {
  await ask(client, { ping: 1 });
  const answers = await Promise.all(
    members.map(async ({ id, host, port }) => {
      const answer = await hello(`${host}:${port}`).catch(() => undefined);
      return { id, answer };
    }),
  );
  return {
    primaries: answers
      .filter(({ answer }) => answer?.setName && answer.isWritablePrimary)
      .map(({ id }) => id),
    down: answers.filter(({ answer }) => answer === undefined).map(({ id }) => id),
    lags: new Map(),
  };
}
