import { createHash } from 'node:crypto';
import type { ClusterSpec, Zone } from '../model/cluster.ts';

/** Derives an id from that of a zone, so that only the latter is stored. */
export function derivedId(zoneId: string, of: string): string {
  return createHash('sha256').update(`${zoneId} ${of}`).digest('hex').slice(0, 24);
}

/** The `zoneId` of a zone, in the shapes in which the id of an entry is that of its replication spec. */
export function shownZoneId({ id }: Pick<Zone, 'id'>): string {
  return derivedId(id, 'zone');
}

/** The zone with this id in either form, since the shapes return different ones. */
export function zoneNamed({ zones }: Pick<ClusterSpec, 'zones'>, id: string): Zone | undefined {
  return zones.find((zone) => zone.id === id || shownZoneId(zone) === id);
}
