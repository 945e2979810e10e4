import { createHash } from 'node:crypto';
import type { ClusterSpec, Zone } from '../model/cluster.ts';

/** An id of its own that is always the same: nothing but the zone's has to be kept. */
export function derivedId(zoneId: string, of: string): string {
  return createHash('sha256').update(`${zoneId} ${of}`).digest('hex').slice(0, 24);
}

/** The `zoneId` of a zone, in the shapes where its own id is that of its replication spec. */
export function shownZoneId({ id }: Pick<Zone, 'id'>): string {
  return derivedId(id, 'zone');
}

/** The zone that is meant by either of its ids: some shapes show the one, some the other. */
export function zoneNamed({ zones }: Pick<ClusterSpec, 'zones'>, id: string): Zone | undefined {
  return zones.find((zone) => zone.id === id || shownZoneId(zone) === id);
}
