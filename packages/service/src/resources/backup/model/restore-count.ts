import { counter } from '../../../store/index.ts';

/** Counts the restores from and to a cluster, and the downloads of its snapshots. */
export const restoreCount = counter('cluster', 'restores');
