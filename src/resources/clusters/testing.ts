import type { TestContext } from 'node:test';
import { eventMigrations, system } from '../../events/index.ts';
import { systemRandom } from '../../runtime/random.ts';
import { secretBox } from '../../runtime/secret-box.ts';
import type { DatabaseLocation, Tx } from '../../store/index.ts';
import { openTestStore } from '../../store/testing.ts';
import { taskMigrations } from '../../tasks/index.ts';
import { announceHost } from '../engine-hosts/index.ts';
import type { Family } from '../family.ts';
import { handlersOf, loadFamilies } from '../index.ts';
import { addOrganization } from '../organizations/index.ts';
import { addProject } from '../projects/index.ts';
import { addCluster } from './lifecycle/changes.ts';
import type { ClusterModel } from './model/cluster.ts';
import { readNewCluster } from './shapes/contract/read.ts';

const secrets = secretBox(Buffer.alloc(32, 1), systemRandom());

/** A store with the tables and hooks of every family, those of `others` among them, and a project in it. */
export async function openClusters(
  t: TestContext,
  database: DatabaseLocation,
  others: readonly Family[] = [],
) {
  const families = await loadFamilies();
  const store = await openTestStore(t, database, {
    migrations: [
      ...taskMigrations,
      ...eventMigrations,
      ...families.flatMap((family) => family.migrations ?? []),
    ],
    handlers: handlersOf([...families, ...others]),
  });
  const groupId = await store.write(async (tx) => {
    await announceHost(tx, secrets, { id: 'host', host: '127.0.0.1', port: 1, token: 'token' }, 0);
    const { id: orgId } = await addOrganization(tx, system, { name: 'org', skipDefaultAlerts: true });
    const project = {
      orgId,
      name: 'project',
      regionUsage: 'COMMERCIAL_FEDRAMP_REGIONS_ONLY',
      tags: [],
    } as const;
    return (await addProject(tx, system, project)).id;
  });
  return { store, groupId };
}

/** Three nodes of the size M10, with no engine behind them. */
export function makeCluster(tx: Tx, groupId: string): Promise<ClusterModel> {
  const settings = { providerName: 'AWS', instanceSizeName: 'M10', regionName: 'US_EAST_1' } as const;
  const asked = readNewCluster({ name: 'c', providerSettings: settings }, () => tx.id());
  return addCluster(tx, { groupId, ...asked, host: 'host', mark: 'abcdef' }, system);
}
