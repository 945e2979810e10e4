import { createHash } from 'node:crypto';
import type { ClusterSpec, Zone } from '../model/cluster.ts';

/** Derives an id from the id of a zone, so that only the zone's id is stored. */
export function derivedId(zoneId: string, of: string): string {
  return createHash('sha256').update(`${zoneId} ${of}`).digest('hex').slice(0, 24);
}

/** The `zoneId` of a zone in shapes whose entries have the id of their replication spec. */
export function shownZoneId({ id }: Pick<Zone, 'id'>): string {
  return derivedId(id, 'zone');
}

/** The zone with this id. Accepts both forms of the id, since the shapes return different ones. */
export function zoneNamed({ zones }: Pick<ClusterSpec, 'zones'>, id: string): Zone | undefined {
  return zones.find((zone) => zone.id === id || shownZoneId(zone) === id);
}
