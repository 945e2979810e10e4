import type { Family } from '../family.ts';
import { migrations } from './migrations.ts';

export { announceHost, type KnownHost, knownHosts } from './hosts.ts';

/** Where clusters run. No operation shows engine hosts; the instances of one service find each other's by them. */
export const family: Family = { name: 'engine-hosts', operations: [], migrations };
