import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from './testing.ts';
import { buildSearchIndex, TestSearch } from './testing-search.ts';

it('results of a search that are skipped let other statements run', () => {
  const cluster = new TestCluster({}, { unsynced: true });
  try {
    cluster.run({ insert: 'c', documents: Array.from({ length: 2_000 }, (_, n) => ({ n })) });
    buildSearchIndex(cluster, 'c', { definition: { mappings: { dynamic: true } } });
    let looks = 0;
    cluster.clock.monotonic = () => looks++ / 1_000;
    const pipeline = [{ $search: { exists: { path: 'n' } } }, { $skip: 1_990 }];
    const { cursor } = cluster.run({ aggregate: 'c', pipeline, cursor: {} });
    assert.equal(cursor.firstBatch.length, 10);
    // One check in 16 looks at the time.
    assert.ok(looks > 2_000 / 16, `${looks}`);
  } finally {
    cluster.remove();
  }
});

it('a comparison with a large stored geometry lets other statements run, and ends after maxTimeMS', () => {
  const ring = (corners: number) =>
    Array.from({ length: corners + 1 }, (_, at) => {
      const angle = ((at % corners) / corners) * 2 * Math.PI;
      return [10 * Math.cos(angle), 10 * Math.sin(angle)];
    });
  const polygon = (corners: number) => ({ type: 'Polygon', coordinates: [ring(corners)] });
  const fields = { g: { type: 'geo', indexShapes: true } };
  const search = new TestSearch([{ g: polygon(2_000) }], { mappings: { fields } });
  try {
    let looks = 0;
    search.cluster.clock.monotonic = () => looks++ / 1_000;
    const run = (operator: Document, more: Document = {}) =>
      search.cluster.run({ aggregate: 'docs', pipeline: [{ $search: operator }], cursor: {}, ...more });
    const contains = { geoShape: { path: 'g', relation: 'contains', geometry: polygon(100) } };
    assert.equal(run(contains).ok, 1);
    assert.ok(looks > 1_000, `${looks}`);
    assert.equal(run(contains, { maxTimeMS: 1 }).code, 50);
    looks = 0;
    const origin = { type: 'Point', coordinates: [0, 0] };
    assert.deepEqual(run({ near: { path: 'g', origin, pivot: 1 } }).cursor.firstBatch, []);
    assert.ok(looks < 100, `${looks}`);
  } finally {
    search.close();
  }
});

it('other clusters take turns after each definition that is read', () => {
  const search = new TestSearch([{ t: 'a' }], { mappings: { dynamic: true } });
  try {
    const indexes = Array.from({ length: 20 }, (_, at) => ({
      name: `n${at}`,
      definition: { mappings: { dynamic: true } },
    }));
    search.cluster.run({ createSearchIndexes: 'docs', indexes });
    search.closeFollower();
    let now = 0;
    search.clock = { monotonic: () => (now += 100) };
    // With this clock, a step ends where another cluster can take its turn.
    let steps = 0;
    while (search.followed() === undefined) {
      search.step();
      steps++;
    }
    assert.ok(steps > 20, `${steps}`);
  } finally {
    search.close();
  }
});
