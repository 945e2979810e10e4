import { subscribe } from '../../store/index.ts';
import { clusterRemoved } from '../clusters/index.ts';
import { type Family, operationsIn } from '../family.ts';
import { deleteAccounts } from './account-rows.ts';
import { keepDropsAlone } from './drops.ts';
import { deploymentFaults } from './faults.ts';
import { followDeployments } from './follow.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { deleteDeployment, deleteDrop } from './rows.ts';
import { deploymentEvents } from './rules.ts';
import { deleteSearchIndexes } from './search-rows.ts';

export { adoptions, authorityOf } from './connections.ts';

/** Deployments that run outside Portolan, and that the operator has adopted as clusters. */
export const family: Family = {
  name: 'deployments',
  operations: operationsIn(operations),
  parameters: {
    deploymentId: { description: 'Id of the adopted deployment, which is also the id of its cluster.' },
  },
  migrations,
  background: [followDeployments],
  eventTypes: deploymentEvents,
  hooks: [
    ...keepDropsAlone,
    subscribe(clusterRemoved, async (tx, { cluster }) => {
      await deleteAccounts(tx, cluster.id);
      await deleteSearchIndexes(tx, cluster.id);
      await deleteDrop(tx, cluster.id);
      await deleteDeployment(tx, cluster.id);
    }),
  ],
  faults: [deploymentFaults],
};
