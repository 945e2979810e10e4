import { counter } from '../../../store/index.ts';

/** Restores from and to a cluster, and downloads of its snapshots. */
export const restoreCount = counter('cluster', 'restores');
