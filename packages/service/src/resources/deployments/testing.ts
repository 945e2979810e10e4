import type { TestContext } from 'node:test';
import type { FoundServers } from '@portolan/engine/interface/engine';
import { systemRandom } from '@portolan/foundation/random';
import { secretBox } from '@portolan/foundation/secret-box';
import type { DatabaseLocation } from '@portolan/test-support/databases';
import { system } from '../../events/index.ts';
import { openClusters, updateCluster } from '../clusters/testing.ts';
import { adopt } from './changes.ts';

export const FOUND: FoundServers = {
  engine: 'adopted',
  facts: ['manageUsers'],
  topology: 'REPLICA_SET',
  version: '8.0.0',
  replicaSets: ['rs0'],
  members: [
    { id: 'shard-00-00', shard: 0, kind: 'electable', priority: 1, host: 'db1.example.org', port: 27_017 },
  ],
  tls: false,
};

/** Opens a store with an idle adopted deployment. */
export async function openDeployment(t: TestContext, database: DatabaseLocation) {
  const { store, groupId } = await openClusters(t, database);
  const secrets = secretBox(Buffer.alloc(32, 1), systemRandom());
  const wanted = {
    ...{ groupId, name: 'pier', mark: 'abcdef', found: FOUND },
    place: { provider: 'AWS', region: 'US_EAST_1' } as const,
    connection: { connectionString: 'mongodb://db1.example.org' },
  };
  const cluster = await store.write(async (tx) => {
    const idle = { ...(await adopt(tx, { secrets }, wanted, system)), state: 'IDLE' } as const;
    await updateCluster(tx, idle);
    return idle;
  });
  return { store, secrets, cluster, id: cluster.id };
}
