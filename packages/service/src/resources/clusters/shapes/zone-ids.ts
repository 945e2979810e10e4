import type { Zone } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';

/**
 * Returns the ids of the zones after an update. An entry refers to a zone by its id. An entry without an id refers to
 * the zone at the same index, unless another entry refers to that zone by id. Throws for an unknown id.
 */
export function zoneIds(
  named: readonly (string | undefined)[],
  before: readonly Zone[],
  newId: () => string,
): string[] {
  const known = before.map(({ id }) => id);
  const wrong = named.find(
    (id, index) => id !== undefined && !(known.includes(id) && named.indexOf(id) === index),
  );
  if (wrong !== undefined) throw noZone(wrong);
  return named.map((id, index) => {
    const atPlace = known[index];
    return id ?? (atPlace === undefined || named.includes(atPlace) ? newId() : atPlace);
  });
}

/** Throws if an entry of a new cluster has an id, since a new cluster has no zones yet. */
export function assertNoZones(entries: readonly { readonly id?: string | undefined }[] = []): void {
  const named = entries.find(({ id }) => id !== undefined);
  if (named?.id !== undefined) throw noZone(named.id);
}

function noZone(id: string) {
  return clusterFaults.REPLICATION_SPECS_INVALID(`the id ${id} is unknown or appears twice`);
}
