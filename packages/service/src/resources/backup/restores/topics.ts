import type { Topic } from '../../../store/index.ts';

/** Published when a restore into a cluster has succeeded and the cluster accepts statements again. */
export const dataRestored: Topic<{ readonly clusterId: string }> = { name: 'data restored' };
