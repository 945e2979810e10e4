import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClock } from '@portolan/foundation/testing';
import type { Document } from 'bson';
import { SearchReader } from '../search/file/search-reader.ts';
import type { Segment } from '../search/file/segment.ts';
import { ClusterReader } from '../search/follow/cluster-reader.ts';
import { SearchFollower } from '../search/follow/follower.ts';
import { TestCluster } from './testing.ts';
import { TestDisk, TestSearch } from './testing-search.ts';

const DOCUMENTS = 900;

function example(_id: number, more: Document = {}): Document {
  const parts = [{ word: `p${_id % 3}` }, { word: `p${_id % 5}`, n: _id }];
  return { _id, t: `w${_id % 7} and w${_id % 11}`, n: _id % 10, parts, v: [1, _id], ...more };
}

const definition = {
  mappings: {
    dynamic: true,
    fields: {
      parts: { type: 'embeddedDocuments', dynamic: true },
      v: { type: 'knnVector', dimensions: 2, similarity: 'euclidean' },
    },
  },
};

/**
 * Yields the contents of a segment without deleted documents. A document is named by a key and its offset from the
 * document with that key.
 */
function* contentsOf(segment: Segment): Generator<string> {
  const parents = segment.parents();
  const nameOf = (doc: number) => {
    let root = doc;
    while ((parents?.[root] ?? -1) >= 0) root = parents?.[root] as number;
    return `${Buffer.from(segment.keys()[root] as Uint8Array).toString('hex')}+${doc - root}`;
  };
  for (const field of segment.fields('')) {
    for (const [term, postings] of segment.allPostings(field)) {
      const positions = segment.positions(field, term, postings);
      for (const [at, doc] of postings.docs.entries()) {
        if (!segment.lives(doc)) continue;
        yield `${field} ${term} ${nameOf(doc)}: ${postings.freqs[at]} at ${positions[at]?.join()}`;
      }
    }
    for (const [doc, length] of segment.lengths(field)?.entries() ?? []) {
      if (length > 0 && segment.lives(doc)) yield `${field} ${nameOf(doc)}: length ${length}`;
    }
    const { docs = [], values = [] } = segment.points(field) ?? {};
    for (const [at, doc] of docs.entries())
      if (segment.lives(doc)) yield `${field} ${nameOf(doc)}: ${values[at]}`;
    const { docs: owners = [], spans = [] } = segment.spans(field) ?? {};
    for (const [at, doc] of owners.entries())
      if (segment.lives(doc))
        yield `${field} ${nameOf(doc)}: ${Buffer.from(spans[at] ?? []).toString('hex')}`;
  }
}

test('an index whose build was interrupted many times equals one that was built at once', () => {
  const cluster = new TestCluster();
  let follower: SearchFollower | undefined;
  const create = (name: string) =>
    assert.equal(cluster.run({ createSearchIndexes: 'many', indexes: [{ name, definition }] }).ok, 1);
  const settle = () => {
    while (follower?.step() === 'busy');
  };
  try {
    const documents = Array.from({ length: DOCUMENTS }, (_, _id) => example(_id));
    cluster.run({ insert: 'many', documents });
    create('cut');
    for (let round = 0; round < 16; round++) {
      follower = new SearchFollower(cluster.dir, undefined, new TestDisk(), testClock());
      for (let step = 0; step <= round % 3; step++) follower.step();
      const q = { _id: round * 50 };
      cluster.run({ update: 'many', updates: [{ q, u: { $set: { t: 'w9', parts: [] } } }] });
      cluster.run({ delete: 'many', deletes: [{ q: { _id: round * 50 + 1 }, limit: 1 }] });
      cluster.run({ insert: 'many', documents: [example(DOCUMENTS + round)] });
      if (round % 2 === 0) follower.step();
      // Closes the follower in the middle of its work, as when its process is killed.
      follower.close();
    }
    follower = new SearchFollower(cluster.dir, undefined, new TestDisk(), testClock());
    settle();
    create('whole');
    settle();
    const source = new ClusterReader(cluster.dir, undefined);
    const reader = new SearchReader(cluster.dir, undefined);
    const [cut, whole] = source
      .indexes()
      .map((index) =>
        reader.read(index, ({ segments }) => segments.flatMap((one) => [...contentsOf(one)]).sort()),
      );
    reader.close();
    source.close();
    assert.ok(cut !== undefined && cut.length > 10 * DOCUMENTS);
    assert.deepEqual(cut, whole);
  } finally {
    follower?.close();
    cluster.remove();
  }
});

test('a reader keeps nothing of segments that others have replaced', () => {
  const search = new TestSearch([example(-1)], definition);
  const source = new ClusterReader(search.cluster.dir, undefined);
  const [reader, fresh] = [1, 2].map(() => new SearchReader(search.cluster.dir, undefined)) as [
    SearchReader,
    SearchReader,
  ];
  const [index] = source.indexes();
  assert.ok(index !== undefined);
  const read = (by: SearchReader) => {
    const numbers = by.read(index, ({ segments }) =>
      segments.map((segment) => {
        segment.keys();
        for (const field of segment.fields('')) segment.lengths(field);
        return segment.number;
      }),
    );
    return numbers ?? [];
  };
  try {
    const seen = new Set<number>();
    let present: number[] = [];
    for (let round = 0; round < 40; round++) {
      const documents = Array.from({ length: 20 }, (_, i) => example(round * 20 + i));
      search.cluster.run({ insert: 'docs', documents });
      search.settle();
      present = read(reader);
      for (const number of present) seen.add(number);
    }
    assert.ok(present.length > 0 && present.length < seen.size, `${present.length} of ${seen.size}`);
    assert.deepEqual(read(fresh), present);
    assert.ok(fresh.cachedBytes > 0);
    assert.equal(reader.cachedBytes, fresh.cachedBytes);
  } finally {
    for (const each of [reader, fresh, source, search]) each.close();
  }
});

test('reads of the index builder end after some megabytes, however many documents they may return', () => {
  const cluster = new TestCluster();
  try {
    const documents = Array.from({ length: 20 }, (_, _id) => ({ _id, t: 'x'.repeat(400_000) }));
    cluster.run({ insert: 'large', documents });
    const source = new ClusterReader(cluster.dir, undefined);
    const table = source.named('test', 'large')?.table ?? '';
    let read = 0;
    for (let rows = source.rows(table, 0, 1_000); rows.length > 0; ) {
      assert.ok(rows.length <= 3, `${rows.length} rows`);
      read += rows.length;
      rows = source.rows(table, rows.at(-1)?.rid ?? 0, 1_000);
    }
    assert.equal(read, documents.length);
    let changes = 0;
    for (let [at, ended] = [0, false]; !ended; ) {
      const next = source.changesAfter(at, 2_000);
      const touched = [...next.documents.values()].reduce((sum, { size }) => sum + size, 0);
      assert.ok(touched <= 3, `${touched} changes`);
      changes += touched;
      [at, ended] = [next.position, next.ended];
    }
    assert.equal(changes, documents.length);
    source.close();
  } finally {
    cluster.remove();
  }
});
