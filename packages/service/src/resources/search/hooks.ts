import { subscribe } from '../../store/index.ts';
import { clusterRemoved } from '../clusters/index.ts';
import { deleteDeployment } from './deployment/rows.ts';
import { deleteOfCluster } from './rows.ts';

export const followRemoval = subscribe(clusterRemoved, async (tx, { cluster }) => {
  await deleteOfCluster(tx, cluster.id);
  await deleteDeployment(tx, cluster.id);
});
