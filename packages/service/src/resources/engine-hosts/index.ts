import type { Family } from '../family.ts';
import { migrations } from './migrations.ts';

export { ADOPTED_HOST, announceHost, ensureAdoptedHost, type KnownHost, knownHosts } from './hosts.ts';
export { keepHosts, releaseHosts } from './rows.ts';

/** Engine hosts. No operation shows them; through this table, instances find each other's hosts. */
export const family: Family = { name: 'engine-hosts', operations: [], migrations };
