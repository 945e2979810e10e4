import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Document, MaxKey, MinKey } from 'bson';
import { info, TestCluster, testMember } from '../../worker/testing.ts';

const [minKey, maxKey] = [new MinKey(), new MaxKey()];
const bounds = (location: string) => ({
  min: { location, city: minKey },
  max: { location, city: maxKey },
});
const places = (count: number) => Array.from({ length: count }, (_, i) => `L${String(i).padStart(5, '0')}`);

const root = { username: 'ada', database: 'admin', roles: [{ role: 'root', database: 'admin' }] };

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster({}, { unsynced: true });
  const [first, ...others] = info.members;
  assert.ok(first);
  const router = {
    ...testMember(9, { state: 'SECONDARY', priority: 0 }),
    id: 'router',
    kind: 'router' as const,
  };
  const second = { ...testMember(5, { state: 'PRIMARY', priority: 7 }), shard: 1 };
  cluster.configure({ shardNames: ['s0', 's1'], members: [first, ...others, second, router] });
  // The configuration takes effect when the clock advances.
  cluster.clock.advance(1);
  run({ addShardToZone: 's0', zone: 'A' });
  run({ addShardToZone: 's1', zone: 'B' });
});
afterEach(() => cluster.remove());

function run(command: Document): Document {
  return cluster.run({ ...command, $db: 'admin' }, { member: 'router', user: root });
}

function shard(collection: string): void {
  const reply = run({ shardCollection: `shop.${collection}`, key: { location: 1, city: 1 } });
  assert.equal(reply.ok, 1, reply.errmsg);
}

function setRanges(collection: string, zones: Readonly<Record<string, string>>): Document {
  const ranges = Object.entries(zones).map(([location, zone]) => ({ ...bounds(location), zone }));
  return run({ setZoneKeyRanges: `shop.${collection}`, ranges });
}

const found = (name: string, more: Document = {}): Document[] =>
  cluster.run({ find: name, $db: 'config', batchSize: 100_000, ...more }, { member: 'router', user: root })
    .cursor.firstBatch;

/** The shards of the ranges of a collection, in key order. */
function shardsOf(collection: string): unknown[] {
  const [{ uuid } = {}] = found('collections', { filter: { _id: `shop.${collection}` } });
  const chunks = found('chunks', { filter: { uuid }, sort: { min: 1 } });
  return chunks.map(({ min, shard: owner }) => [
    typeof min.location === 'string' ? [min.location, min.city instanceof MinKey] : 'least',
    owner,
  ]);
}

describe('setZoneKeyRanges', () => {
  it('replaces all ranges of a collection, and moves documents to the shards of the zones', () => {
    shard('people');
    assert.equal(setRanges('people', { US: 'A', DE: 'B' }).ok, 1);
    const tags = () => found('tags', { sort: { min: 1 } }).map(({ min, tag }) => [min.location, tag]);
    assert.deepEqual(tags(), [
      ['DE', 'B'],
      ['US', 'A'],
    ]);
    const inGermany = [
      ['least', 's0'],
      [['DE', true], 's1'],
      [['DE', false], 's0'],
    ];
    assert.deepEqual(shardsOf('people'), inGermany);
    const versions = () => found('chunks').map(({ lastmod }) => lastmod.toBigInt());
    const before = versions();
    assert.equal(setRanges('people', { US: 'A', DE: 'B' }).ok, 1);
    assert.deepEqual(versions(), before, 'nothing changes');
    assert.equal(setRanges('people', { DE: 'A', FR: 'B' }).ok, 1);
    assert.deepEqual(tags(), [
      ['DE', 'A'],
      ['FR', 'B'],
    ]);
    assert.deepEqual(shardsOf('people'), [
      ['least', 's0'],
      [['DE', true], 's0'],
      [['DE', false], 's0'],
      [['FR', true], 's1'],
      [['FR', false], 's0'],
    ]);
    assert.equal(setRanges('people', {}).ok, 1);
    assert.deepEqual(tags(), []);
  });

  it('changes nothing for an unknown zone, for overlapping ranges or for a collection that is not sharded', () => {
    shard('people');
    setRanges('people', { US: 'A' });
    assert.equal(setRanges('people', { DE: 'A', FR: 'C' }).code, 177);
    assert.equal(setRanges('other', { DE: 'A' }).code, 118);
    const twice = [bounds('DE'), bounds('DE')].map((each) => ({ ...each, zone: 'A' }));
    assert.equal(run({ setZoneKeyRanges: 'shop.people', ranges: twice }).code, 178);
    assert.deepEqual(
      found('tags').map(({ min }) => min.location),
      ['US'],
    );
  });

  it('does not read the ranges and chunks of other collections', () => {
    const many = Object.fromEntries(places(2_000).map((place, i) => [place, i % 2 === 0 ? 'A' : 'B']));
    shard('small');
    const looksOf = (work: () => void) => {
      let looks = 0;
      cluster.clock.monotonic = () => looks++ / 1_000;
      work();
      return looks;
    };
    const alone = looksOf(() => setRanges('small', { US: 'A' }));
    for (const name of ['one', 'other']) {
      shard(name);
      assert.equal(setRanges(name, many).ok, 1);
    }
    assert.ok(looksOf(() => setRanges('small', { US: 'A', DE: 'B' })) < 2 * alone + 10);
    const range = { updateZoneKeyRange: 'shop.small', ...bounds('FR'), zone: 'B' };
    assert.ok(looksOf(() => run(range)) < 2 * alone + 10);
  });

  it('takes as many steps for each of many ranges as for each of few', () => {
    const looksOf = (count: number) => {
      const name = `c${count}`;
      shard(name);
      let looks = 0;
      cluster.clock.monotonic = () => looks++ / 1_000;
      const zones = places(count).map((place, i) => [place, i % 2 === 0 ? 'A' : 'B']);
      assert.equal(setRanges(name, Object.fromEntries(zones)).ok, 1);
      return looks;
    };
    const [few, many] = [looksOf(500), looksOf(4_000)];
    assert.ok(many < 16 * few, `${few} ${many}`);
  });
});

describe('the ranges of a collection of an earlier version', () => {
  it('are found without an index, which the next change creates', () => {
    shard('people');
    setRanges('people', { US: 'A' });
    for (const name of ['chunks', 'tags'])
      cluster.run({ dropIndexes: name, index: '*', $db: 'config' }, { member: 'router', user: root });
    assert.equal(setRanges('people', { US: 'B', DE: 'B' }).ok, 1);
    assert.deepEqual(shardsOf('people').length, 5);
    for (const [name, index] of [
      ['chunks', 'uuid_1_min_1'],
      ['tags', 'ns_1_min_1'],
    ] as const) {
      const { cursor } = cluster.run({ listIndexes: name, $db: 'config' }, { member: 'router', user: root });
      assert.deepEqual(
        cursor.firstBatch.map((each: Document) => each.name),
        ['_id_', index],
      );
    }
  });
});
