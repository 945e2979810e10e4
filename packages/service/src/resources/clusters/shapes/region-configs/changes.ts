import { isDeepStrictEqual } from 'node:util';
import type { EntryKind } from '../../model/expressible.ts';
import type { RegionConfigsBody } from '../carried.ts';
import type { ClusterView } from '../contract/write.ts';
import type { RegionConfigsCluster } from './schema.ts';
import { writeRegionConfigs } from './write.ts';

/**
 * Returns the fields of a body that differ from the current values. Callers send back whole documents, so
 * unchanged fields are ignored. The field `paused` always counts as a change.
 */
export function changesInRegionConfigs(
  { kind, body }: RegionConfigsBody,
  shown: ClusterView,
): RegionConfigsCluster {
  const before = writable(writeRegionConfigs(kind)(shown), kind) as Record<string, unknown>;
  const isChange = ([name, value]: [string, unknown]) =>
    name === 'paused' || !isDeepStrictEqual(writable(value, kind), before[name]);
  return Object.fromEntries(Object.entries(body).filter(isChange));
}

/** Omits the read-only fields within `replicationSpecs`, because the HTTP layer removes them from request bodies. */
function writable(value: unknown, kind: EntryKind): unknown {
  if (Array.isArray(value)) return value.map((item) => writable(item, kind));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const isSettable = ([name]: [string, unknown]) =>
    name !== 'zoneId' && name !== 'effectiveInstanceSize' && !(name === 'id' && kind === 'shards');
  const settable = Object.entries(value).filter(isSettable);
  return Object.fromEntries(settable.map(([name, inner]) => [name, writable(inner, kind)]));
}
