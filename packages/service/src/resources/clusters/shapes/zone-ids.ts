import type { Zone } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';

/**
 * The ids of the zones that an update leads to. An entry names its zone by its id; one without an id is the zone at its
 * place, where no other entry names that. Throws for an id that is none of the cluster's.
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

/** Throws for an id that names a zone of a cluster that is yet to be made. */
export function assertNoZones(entries: readonly { readonly id?: string | undefined }[] = []): void {
  const named = entries.find(({ id }) => id !== undefined);
  if (named?.id !== undefined) throw noZone(named.id);
}

function noZone(id: string) {
  return clusterFaults.REPLICATION_SPECS_INVALID(`the id ${id} is not that of a zone of its own`);
}
