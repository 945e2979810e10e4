import { derivedId } from '@portolan/foundation/derived-id';
import type { ClusterSpec, Zone } from '../model/cluster.ts';

/**
 * Returns the `zoneId` of a zone in shapes whose entries also have an `id`. There, `id` is the id of the zone itself,
 * so `zoneId` is derived from it.
 */
export function shownZoneId({ id }: Pick<Zone, 'id'>): string {
  return derivedId(`${id} zone`);
}

/**
 * Returns the zone with this id. Accepts the zone's own id and the derived `zoneId`, since responses contain the one or
 * the other.
 */
export function zoneNamed({ zones }: Pick<ClusterSpec, 'zones'>, id: string): Zone | undefined {
  return zones.find((zone) => zone.id === id || shownZoneId(zone) === id);
}
