import type { Topic } from '../../../store/index.ts';

/** Published when a restore has succeeded and the target accepts commands again. */
export const dataRestored: Topic<{ readonly clusterId: string }> = { name: 'data restored' };
