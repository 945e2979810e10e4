import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { readMetrics } from './facet-metrics.ts';
import { bucketsOf } from './facet-tree.ts';
import { Searching } from './searching.ts';
import { Spec } from './spec.ts';
import { numberedSegment } from './testing-segments.ts';

const SIZE = 1_000;
const MAX_BYTES = 100 * 1024 * 1024;

/** Evaluates one metric of a bucket with all documents. */
function evaluating(type: string) {
  let [checks, compared] = [0, 0];
  const segment = numberedSegment(SIZE, 'n');
  const search = new Searching(undefined, [segment], () => void checks++);
  const spec = new Spec(
    new RawDocument(
      encodeDocument({ aggregations: { m: type === 'count' ? { type } : { type, path: 'n' } } }),
    ),
    'facet',
  );
  const [metric] = readMetrics(spec, search) ?? [];
  assert.ok(metric);
  const places = Array.from({ length: SIZE }, (_, doc) => doc);
  const orderOf = (place: number) => {
    compared++;
    return SIZE - place;
  };
  // Do not count the first evaluation, because it also reads the column.
  metric.of(places, orderOf);
  [checks, compared] = [0, 0];
  const value = metric.of(places, orderOf);
  return { checks, compared, value: value.toString(), metric, search, places };
}

test('the values that a metric reads count towards the limit of steps', () => {
  for (const type of ['sum', 'avg', 'min', 'max']) {
    const { checks } = evaluating(type);
    assert.ok(checks >= SIZE, `${type}: ${checks}`);
  }
  assert.ok(evaluating('count').checks >= 1);
});

test('the first and the last document of a bucket are found without sorting', () => {
  for (const type of ['first', 'last']) {
    const { compared, metric, search, places } = evaluating(type);
    assert.equal(compared, SIZE, type);
    // Each evaluation of a bucket adds at least one step per document.
    assert.throws(() => {
      search.spend(499_980_000);
      for (let bucket = 0; bucket < 30; bucket++) metric.of(places, (place) => place);
    }, /more than 500000000 steps/);
  }
});

test('columns, groups and buckets count towards the limit of memory, and lists of groups only as long as they are needed', () => {
  const searching = () => new Searching(undefined, [numberedSegment(SIZE, 'n')], () => {});
  const full = searching();
  full.hold(MAX_BYTES - SIZE);
  const spec = () =>
    new Spec(new RawDocument(encodeDocument({ aggregations: { m: { type: 'sum', path: 'n' } } })), 'facet');
  assert.throws(() => readMetrics(spec(), full)?.[0]?.of([0], (place) => place), /bytes of memory/);

  const search = searching();
  const places = Array.from({ length: SIZE }, (_, doc) => doc);
  const grouping = { path: 'n', boundaries: [], numbers: [0, SIZE], otherwise: undefined };
  const node = {
    grouping: { ...grouping, boundaries: [...new RawDocument(encodeDocument({ a: 0, b: SIZE }))] },
    nested: new Map(),
    metrics: undefined,
  };
  const evaluate = () => bucketsOf(node, places, { search, orderOf: (place) => place });
  // The first evaluation reads the column, which stays in memory.
  evaluate();
  let times = 0;
  search.hold(MAX_BYTES - 32_000);
  assert.throws(() => {
    for (; times < 1_000; times++) evaluate();
  }, /bytes of memory/);
  assert.ok(times > 50, `${times}`);
});
