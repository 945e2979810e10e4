import { subscribe } from '../../store/index.ts';
import { clusterRemoved } from '../clusters/index.ts';
import { forgetCluster } from './rows.ts';

export const followRemoval = subscribe(clusterRemoved, (tx, { cluster }) => forgetCluster(tx, cluster.id));
