import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '@portolan/foundation/faults';
import { hostMetrics, tenantMetrics } from './figures/host.ts';
import { namedMetrics } from './figures/metrics.ts';
import { type RangeQuery, readMetrics, readRange } from './rules.ts';

const now = new Date('2026-03-12T12:34:56Z');
const old = new Date('2020-01-01T00:00:00Z');

const read = (query: RangeQuery, { since = old, fine = false } = {}) => {
  const { start, end, granularity } = readRange(query, { now, since, fine });
  return [granularity.name, new Date(start).toISOString(), new Date(end).toISOString()];
};
const refused = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof Fault);
    return [error.status, error.code, ...(error.parameters ?? [])];
  }
  return undefined;
};

test('a range covers whole intervals, including the current one', () => {
  const day = ['2026-03-11T00:00:00.000Z', '2026-03-13T00:00:00.000Z'];
  assert.deepEqual(read({ granularity: 'P1D', period: 'P1D' }), ['P1D', ...day]);
  assert.deepEqual(read({ granularity: 'PT5M', period: 'PT30M' }), [
    'PT5M',
    '2026-03-12T12:00:00.000Z',
    '2026-03-12T12:35:00.000Z',
  ]);
  const between = { start: '2026-03-12T10:00:00Z', end: '2026-03-12T11:00:00Z' };
  assert.deepEqual(read({ granularity: 'PT1M', ...between }), [
    'PT1M',
    '2026-03-12T10:00:00.000Z',
    '2026-03-12T11:00:00.000Z',
  ]);
  const [, month] = read({ granularity: 'P1D', period: 'P1M' });
  assert.equal(month, '2026-02-12T00:00:00.000Z');
});

test('a range begins no earlier than the retention or the creation of the cluster', () => {
  const starts = (granularity: string, since?: Date) =>
    read({ granularity, period: 'P1Y' }, since ? { since, fine: true } : { fine: true })[1];
  assert.equal(starts('PT10S'), '2026-03-12T04:34:50.000Z');
  assert.equal(starts('PT1M'), '2026-03-10T12:34:00.000Z');
  assert.equal(starts('PT5M'), '2026-03-10T12:30:00.000Z');
  assert.equal(starts('PT1H'), '2026-01-08T12:00:00.000Z');
  assert.equal(starts('P1D'), '2025-03-12T00:00:00.000Z');
  assert.equal(starts('P1D', new Date('2026-03-01T08:00:00Z')), '2026-03-01T00:00:00.000Z');
});

test('each invalid range has its error code', () => {
  const codes = (query: RangeQuery) => refused(() => read(query));
  assert.deepEqual(codes({ granularity: 'PT7M', period: 'P1D' }), [400, 'INVALID_GRANULARITY', 'PT7M']);
  assert.deepEqual(codes({ granularity: 'PT10S', period: 'P1D' }), [400, 'INVALID_GRANULARITY', 'PT10S']);
  for (const period of ['', 'P', 'PT', '1D', 'P1H', 'P1DT', 'P-1D'])
    assert.deepEqual(codes({ granularity: 'PT1M', period }), [400, 'INVALID_PERIOD', period]);
  const start = '2026-03-12T10:00:00Z';
  assert.deepEqual(codes({ granularity: 'PT1M', period: 'P1D', start }), [
    ...[400, 'MUTUALLY_EXCLUSIVE_QUERY_PARAMETERS', 'period', 'start'],
  ]);
  assert.deepEqual(codes({ granularity: 'PT1M' }), [400, 'MISSING_QUERY_PARAMETER', 'period']);
  assert.deepEqual(codes({ granularity: 'PT1M', start }), [400, 'MISSING_QUERY_PARAMETER', 'end']);
  assert.deepEqual(codes({ granularity: 'PT1M', end: start }), [400, 'MISSING_QUERY_PARAMETER', 'start']);
  const turned = codes({ granularity: 'PT1M', start, end: '2026-03-12T09:00:00Z' });
  assert.deepEqual(turned?.slice(0, 2), [400, 'INVALID_DATE_RANGE']);
});

test("metrics have the vendor's names; shared-tier clusters have fewer metrics", () => {
  const [all, shared] = [namedMetrics(hostMetrics), namedMetrics(tenantMetrics)];
  assert.equal(readMetrics(undefined, all).length, all.size);
  assert.equal(readMetrics(undefined, all, shared).length, 11);
  const names = (requested: string[]) => readMetrics(requested, all).map(([name]) => name);
  assert.deepEqual(names(['CONNECTIONS', 'MAX_SYSTEM_CPU_USER']), ['CONNECTIONS', 'MAX_SYSTEM_CPU_USER']);
  const unknown = refused(() => readMetrics(['KNOTS'], all));
  assert.deepEqual(unknown, [404, 'INVALID_METRIC_NAME', 'KNOTS']);
  const refusedOne = refused(() => readMetrics(['MEMORY_RESIDENT'], all, shared));
  assert.deepEqual(refusedOne, [400, 'INSUFFICIENT_INSTANCE_SIZE', 'M10']);
});
