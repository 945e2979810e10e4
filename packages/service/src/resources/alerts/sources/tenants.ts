import type { MemberSample } from '@portolan/engine/interface/engine';
import type { Allowance } from '../../monitoring/index.ts';
import { metrics } from '../catalogue/metrics.ts';
import { hostReadings } from './readings.ts';

type Family = 'flex' | 'serverless';

/** What a cluster of a shared kind is measured by is that of its nodes, under names of its own. */
const names: Readonly<Record<string, readonly string[]>> = {
  DATA_SIZE_TOTAL: ['LOGICAL_SIZE'],
  OPCOUNTER_TOTAL: ['CMD', 'DELETE', 'GETMORE', 'INSERT', 'QUERY', 'UPDATE'].map(
    (kind) => `OPCOUNTER_${kind}`,
  ),
};

/** Counts of all nodes together; of the others that of the node where it is the greatest. */
const SUMMED = /^(CONNECTIONS|NETWORK_\w+|OPCOUNTER_\w+)$/;

/** A metric of a cluster, out of the newest samples of its nodes; undefined where it cannot be told. */
export function tenantReading(
  family: Family,
  metricName: string,
  nodes: Iterable<readonly MemberSample[]>,
  allowed: Allowance,
): number | undefined {
  if (!metrics[family].has(metricName)) return undefined;
  const own = metricName.replace(/^(FLEX|SERVERLESS)_/, '');
  const values = [...nodes].flatMap((samples) => {
    if (samples.length === 0) return [];
    const parts = (names[own] ?? [own]).map((name) => hostReadings[name]?.(samples, allowed));
    const known = parts.filter((part) => part !== undefined);
    return known.length === parts.length ? [known.reduce((sum, part) => sum + part, 0)] : [];
  });
  if (values.length === 0) return undefined;
  return SUMMED.test(own) ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
}
