import type { Family } from '../family.ts';
import { migrations } from './migrations.ts';

export { ADOPTED_HOST, announceHost, ensureAdoptedHost, type KnownHost, knownHosts } from './hosts.ts';

/** Hosts of clusters. No operation exposes them; the instances of a service find each other's hosts here. */
export const family: Family = { name: 'engine-hosts', operations: [], migrations };
