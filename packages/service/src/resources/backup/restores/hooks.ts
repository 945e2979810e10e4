import type { Topic } from '../../../store/index.ts';

/** A cluster has the data of a snapshot, or of a moment, and takes statements again. */
export const dataRestored: Topic<{ readonly clusterId: string }> = { name: 'data restored' };
