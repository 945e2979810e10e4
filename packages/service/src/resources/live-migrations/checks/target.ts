import type { Engine } from '@portolan/engine/interface/calls';
import { ownDatabases } from '@portolan/engine/interface/namespaces';
import { memberOf } from '../../../replication/names.ts';
import {
  type ClusterModel,
  compatibilityOf,
  diskBytesOf,
  foundMembers,
  isSharded,
  setNameOf,
} from '../../clusters/index.ts';
import type { Services } from '../../services.ts';
import type { Target } from './obstacles.ts';

type Answer = Readonly<Record<string, unknown>>;

/** Runs a command on the cluster. Throws the error message of a failed command. */
async function run(engine: Engine, id: string, command: object): Promise<Answer> {
  const answer = (await engine.run(id, command as Answer)) as Answer;
  if (answer.ok !== 1) throw new Error(String(answer.errmsg));
  return answer;
}

interface Database {
  readonly name: string;
  readonly sizeOnDisk: number;
}

/** Returns the user databases of a cluster. */
async function databasesOf(engine: Engine, id: string): Promise<Database[]> {
  const { databases } = await run(engine, id, { listDatabases: 1, $db: 'admin' });
  return (databases as Database[]).filter(({ name }) => !ownDatabases.has(name));
}

interface SetConfig {
  readonly _id: string;
  readonly members: readonly { readonly host: string }[];
}

/**
 * Returns the members of all shards. Reads them from the replica set configurations. Routers of servers outside
 * Portolan do not have these configurations. For such servers, returns the members that the engine has found.
 */
async function membersOf(engine: Engine, cluster: ClusterModel): Promise<string[]> {
  const known = knownMembers(cluster);
  if (known !== undefined) return known;
  const { cursor } = await run(engine, cluster.id, { find: 'system.replset', $db: 'local' });
  const { firstBatch } = cursor as { readonly firstBatch: readonly SetConfig[] };
  return firstBatch.flatMap(({ _id, members }) => members.map(({ host }) => memberOf(_id, host)));
}

function knownMembers(cluster: ClusterModel): string[] | undefined {
  const data = foundMembers(cluster)?.filter(({ kind }) => kind !== 'router');
  return data?.map(({ shard, host, port }) =>
    memberOf(setNameOf(cluster.placement, shard), `${host}:${port}`),
  );
}

export async function readTarget({ engines }: Services, cluster: ClusterModel): Promise<Target> {
  const engine = engines.at(cluster.host);
  const namespaces: string[] = [];
  const databases = await databasesOf(engine, cluster.id);
  for (const { name: database } of databases) {
    const command = { listCollections: 1, nameOnly: true, cursor: { batchSize: 1_000_000 }, $db: database };
    const { cursor } = await run(engine, cluster.id, command);
    const { firstBatch } = cursor as { readonly firstBatch: readonly { readonly name: string }[] };
    namespaces.push(
      ...firstBatch
        .filter(({ name }) => !name.startsWith('system.'))
        .map(({ name }) => `${database}.${name}`),
    );
  }
  return {
    sharded: isSharded(cluster.spec),
    members: await membersOf(engine, cluster),
    version: compatibilityOf(cluster),
    disk: diskBytesOf(cluster),
    used: databases.reduce((sum, { sizeOnDisk }) => sum + Number(sizeOnDisk), 0),
    namespaces,
  };
}

/** Drops one database of a cluster, or all user databases. */
export async function dropDatabases(
  { engines }: Services,
  cluster: ClusterModel,
  only?: string,
): Promise<void> {
  const engine = engines.at(cluster.host);
  const databases =
    only === undefined ? (await databasesOf(engine, cluster.id)).map(({ name }) => name) : [only];
  for (const $db of databases) await run(engine, cluster.id, { dropDatabase: 1, $db });
}
