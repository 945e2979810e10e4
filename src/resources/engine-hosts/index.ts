import type { Family } from '../family.ts';
import { migrations } from './migrations.ts';

export { announceHost, type KnownHost, knownHosts } from './hosts.ts';

/** Where clusters run. No operation shows it: it is how the instances of one service find each other's hosts. */
export const family: Family = { name: 'engine-hosts', operations: [], migrations };
