import type { MemberSample } from '@portolan/engine/interface/engine';
import type { Allowance } from '../../monitoring/index.ts';
import { metrics } from '../catalogue/metrics.ts';
import { hostMetricReaders } from './metric-readers.ts';

type Family = 'flex' | 'serverless';

/** Tenant metrics that have the value of a host metric with another name, or the sum of several host metrics. */
const names: Readonly<Record<string, readonly string[]>> = {
  DATA_SIZE_TOTAL: ['LOGICAL_SIZE'],
  OPCOUNTER_TOTAL: ['CMD', 'DELETE', 'GETMORE', 'INSERT', 'QUERY', 'UPDATE'].map(
    (kind) => `OPCOUNTER_${kind}`,
  ),
};

/** Metrics that are summed over the nodes. For all other metrics, the greatest value among the nodes is used. */
const SUMMED = /^(CONNECTIONS|NETWORK_\w+|OPCOUNTER_\w+)$/;

/** Reads a tenant metric from the newest samples of the cluster's nodes. Returns undefined if the value is unknown. */
export function readTenantMetric(
  family: Family,
  metricName: string,
  nodes: Iterable<readonly MemberSample[]>,
  allowed: Allowance,
): number | undefined {
  if (!metrics[family].has(metricName)) return undefined;
  const own = metricName.replace(/^(FLEX|SERVERLESS)_/, '');
  const values = [...nodes].flatMap((samples) => {
    if (samples.length === 0) return [];
    const parts = (names[own] ?? [own]).map((name) => hostMetricReaders[name]?.(samples, allowed));
    const known = parts.filter((part) => part !== undefined);
    return known.length === parts.length ? [known.reduce((sum, part) => sum + part, 0)] : [];
  });
  if (values.length === 0) return undefined;
  return SUMMED.test(own) ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
}
