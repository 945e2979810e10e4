import { subscribe } from '../../store/index.ts';
import { clusterRemoved } from '../clusters/index.ts';
import { forgetDeployment } from './deployment/rows.ts';
import { forgetCluster } from './rows.ts';

export const followRemoval = subscribe(clusterRemoved, async (tx, { cluster }) => {
  await forgetCluster(tx, cluster.id);
  await forgetDeployment(tx, cluster.id);
});
