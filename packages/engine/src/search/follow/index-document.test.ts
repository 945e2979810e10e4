import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize } from 'bson';
import { RawDocument } from '../../bson/raw.ts';
import { SegmentBuilder } from '../file/segment-builder.ts';
import { planOf } from '../mapping/definition.ts';
import { indexDocument } from './index-document.ts';

const raw = (document: object) => new RawDocument(serialize(document));
const plan = planOf('search', raw({ mappings: { dynamic: true } }), undefined);

/** Returns the numbers of pauses while a document is indexed, and while its parts are made. */
function pausesOf(document: object) {
  const builder = new SegmentBuilder();
  const indexing = [...indexDocument(plan, builder, new Uint8Array([1]), raw(document))].length;
  const writing = [...builder.terms(), ...builder.parts()].filter((one) => one === undefined).length;
  return { indexing, writing };
}

const SIZE = 30_000;
const many = (make: (at: number) => unknown) => Array.from({ length: SIZE }, (_, at) => make(at));

test('other work can run while many short texts are indexed', () => {
  const { indexing, writing } = pausesOf({ t: many((at) => `w${at}`) });
  assert.ok(indexing > SIZE / 100, `${indexing}`);
  assert.ok(writing > 3, `${writing}`);
});

test('other work can run after each batch of a long text', () => {
  const { indexing } = pausesOf({ t: many((at) => `w${at}`).join(' ') });
  assert.ok(indexing > SIZE / 256, `${indexing}`);
});

test('other work can run while many fields and numbers are indexed', () => {
  const fields = pausesOf(Object.fromEntries(many((at) => [`f${at}`, 'w']) as [string, string][]));
  assert.ok(fields.indexing > SIZE / 100, `${fields.indexing}`);
  const numbers = pausesOf({ n: many((at) => (at * 7_919) % SIZE) });
  assert.ok(numbers.indexing > SIZE / 1_100, `${numbers.indexing}`);
  assert.ok(numbers.writing > 3, `${numbers.writing}`);
});
