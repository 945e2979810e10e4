import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pollsOf } from '../../bson/testing-turns.ts';
import { ByteCache } from './cache.ts';
import { openSearchFile } from './search-file.ts';
import { Segment } from './segment.ts';
import { SegmentBuilder } from './segment-builder.ts';
import { writeSegment } from './segment-writer.ts';

const FIELDS = 1_000;
const nameOf = (kind: string, at: number) => `${kind}${'x'.repeat(8_000)}${at}`;

test('a search looks fields up in the file, and does not keep their names', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'names-'));
  const file = openSearchFile(dir, undefined);
  t.after(() => {
    file.close();
    rmSync(dir, { recursive: true });
  });
  const builder = new SegmentBuilder();
  const doc = builder.begin(new Uint8Array([1]));
  for (let at = 0; at < FIELDS; at++) {
    builder.addTerm(nameOf('a', at), 'word', doc);
    builder.addTerm(nameOf('b', at), 'other', doc);
  }
  for (const _ of writeSegment(file, 1, builder, []));
  assert.deepEqual(file.get('SELECT names FROM segments'), [2 * FIELDS]);
  const cache = new ByteCache(1 << 30);
  const segment = new Segment({ number: 1, size: 1, dead: 0, deleted: undefined }, file, cache);
  assert.equal(segment.postings(nameOf('a', 7), 'word')?.count, 1);
  assert.equal(segment.postings(nameOf('b', 7), 'word'), undefined);
  assert.equal(segment.has(nameOf('a', FIELDS)), false);
  assert.ok(cache.bytes < 200_000, `${cache.bytes}`);
  const names = new Set<string>();
  const pauses = pollsOf(() => {
    for (const name of segment.fields('b')) names.add(name);
  });
  assert.deepEqual(names, new Set(Array.from({ length: FIELDS }, (_, at) => nameOf('b', at))));
  assert.ok(pauses > 10, `${pauses}`);
  assert.ok(cache.bytes < 200_000, `${cache.bytes}`);
});
