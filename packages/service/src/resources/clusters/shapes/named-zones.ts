import { derivedId } from '@portolan/foundation/derived-id';
import type { ClusterSpec, Zone } from '../model/cluster.ts';

/**
 * Returns the `zoneId` of a zone, for shapes whose entries have both an `id` and a `zoneId`. In these shapes, `id` is
 * the id of the zone itself, and `zoneId` is derived from it.
 */
export function shownZoneId({ id }: Pick<Zone, 'id'>): string {
  return derivedId(`${id} zone`);
}

/**
 * Returns the zone with this id. Accepts both the id of the zone itself and the derived `zoneId`, since responses
 * contain one or the other.
 */
export function zoneNamed({ zones }: Pick<ClusterSpec, 'zones'>, id: string): Zone | undefined {
  return zones.find((zone) => zone.id === id || shownZoneId(zone) === id);
}
