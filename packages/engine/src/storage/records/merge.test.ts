import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawDocument } from '../../bson/raw.ts';
import { compileSort } from '../../language/sort.ts';
import { RunningStatement } from '../model/running-statement.ts';
import { Merge } from './merge.ts';
import type { RecordStream } from './scan.ts';

/** Yields one document with a long sort field. */
function streamOf(rid: number, bytes: number): RecordStream {
  const rest = [{ rid, doc: RawDocument.from({ _id: rid, b: 'x'.repeat(bytes), c: 'x'.repeat(bytes) }) }];
  return {
    next: () => rest.shift(),
    release() {},
    get ended() {
      return rest.length === 0;
    },
  };
}

function merge(streams: RecordStream[]): Merge {
  const sort = RawDocument.from({ b: 1 });
  const running = new RunningStatement();
  const order = { sort, compare: compileSort(sort).compare };
  return new Merge(streams, order, { running, find: () => undefined });
}

test('a merge keeps at most 64 MiB of fields', () => {
  const streams = (count: number) => Array.from({ length: count }, (_, i) => streamOf(i, 12 << 20));
  assert.equal(merge(streams(5)).next(), undefined);
  assert.throws(() => merge(streams(6)).next(), { code: 146 });
});
