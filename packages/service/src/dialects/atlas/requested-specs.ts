import type { EntityDocument } from '../../api/dialect/entities.ts';
import { isPlainObject } from '../../api/schema/json-schema.ts';

/**
 * This file shows `replicationSpecs` as a client requested them, next to `effectiveReplicationSpecs`, which contain the
 * current values.
 */

/**
 * Returns the requested entries, each with the read-only fields of its shard. Returns the current entries if there is no
 * request.
 */
export function asRequested(current: readonly unknown[], requested: unknown): readonly unknown[] {
  if (!Array.isArray(requested)) return current;
  const entries = requested.filter(isPlainObject);
  return entries.map((entry, index) => {
    const name = zoneOf(entry);
    const place = entries.slice(0, index).filter((other) => zoneOf(other) === name).length;
    const shard = current.filter((one) => isPlainObject(one) && zoneOf(one) === name)[place];
    return isPlainObject(shard) ? requestedEntry(entry, shard) : entry;
  });
}

/** Entries without a name belong to the same zone. */
const zoneOf = ({ zoneName = 'Zone 1' }: EntityDocument) => zoneName;

function requestedEntry({ regionConfigs, ...entry }: EntityDocument, shard: EntityDocument): EntityDocument {
  const { id, zoneId } = shard;
  const shown = listIn(shard.regionConfigs);
  const regions = listIn(regionConfigs).map((region) => {
    const same = shown.find(
      ({ providerName, regionName }) =>
        providerName === region.providerName && regionName === region.regionName,
    );
    return { ...effectiveFields(same), ...region };
  });
  return { ...entry, id, zoneId, regionConfigs: regions };
}

const listIn = (value: unknown): readonly EntityDocument[] =>
  Array.isArray(value) ? value.filter(isPlainObject) : [];

const effectiveFields = (region: EntityDocument = {}): EntityDocument =>
  Object.fromEntries(Object.entries(region).filter(([name]) => name.startsWith('effective')));
