import { createHash } from 'node:crypto';
import type { ClusterSpec, Zone } from '../model/cluster.ts';

/** Derives an id from the id of a zone, so that only the zone's id is stored. */
export function derivedId(zoneId: string, of: string): string {
  return createHash('sha256').update(`${zoneId} ${of}`).digest('hex').slice(0, 24);
}

/**
 * Returns the `zoneId` of a zone in shapes whose entries also have an `id`. There, `id` is the id of the zone itself,
 * so `zoneId` is derived from it.
 */
export function shownZoneId({ id }: Pick<Zone, 'id'>): string {
  return derivedId(id, 'zone');
}

/**
 * Returns the zone with this id. Accepts the zone's own id and the derived `zoneId`, since responses contain the one or
 * the other.
 */
export function zoneNamed({ zones }: Pick<ClusterSpec, 'zones'>, id: string): Zone | undefined {
  return zones.find((zone) => zone.id === id || shownZoneId(zone) === id);
}
