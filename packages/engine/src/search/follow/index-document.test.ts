import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize } from 'bson';
import { RawDocument } from '../../bson/raw.ts';
import { SegmentBuilder } from '../file/segment-builder.ts';
import { planOf } from '../mapping/definition.ts';
import { indexDocument } from './index-document.ts';

const raw = (document: object) => new RawDocument(serialize(document));
const plan = planOf('search', raw({ mappings: { dynamic: true } }), undefined);

/** Returns the paths and terms of an indexed document, and the memory that it takes. */
function indexed(document: object) {
  const builder = new SegmentBuilder();
  for (const _ of indexDocument(plan, builder, new Uint8Array([1]), raw(document)));
  const terms = [...builder.terms()].flatMap((one) => one?.term ?? []);
  return { terms, bytes: builder.bytes };
}

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

test('long paths of deeply nested fields are not indexed', () => {
  const name = 'n'.repeat(3_000);
  let nested: object = { last: 'word' };
  for (let level = 0; level < 100; level++) nested = { [`${name}${level}`]: nested };
  const { terms, bytes } = indexed({ ...nested, t: 'first' });
  assert.deepEqual(
    terms.map(({ length }) => length).sort((a, b) => b - a),
    [6_005, 3_002, 5, 1],
  );
  assert.ok(bytes < 50_000, `${bytes}`);
});

test('a limited number of paths and terms of a document is indexed', () => {
  const paths = Object.fromEntries(Array.from({ length: 20_100 }, (_, at) => [`f${at}`, at]));
  const { terms, bytes } = indexed(paths);
  assert.equal(terms.length, 20_000);
  assert.ok(bytes > 20_000 * 2_500, 'the memory of a field is counted');
  const long = Object.fromEntries(Array.from({ length: 2_200 }, (_, at) => [`f${at}`, at]));
  const count = indexed({ ['n'.repeat(8_000)]: long }).terms.length;
  assert.ok(count > 1_500 && count < 2_150, `${count}`);
});

test('other work can run while many embedded documents are indexed', () => {
  const definition = { mappings: { fields: { list: { type: 'embeddedDocuments', dynamic: true } } } };
  const own = planOf('search', raw(definition), undefined);
  const document = raw({ list: many(() => ({})) });
  const pauses = [...indexDocument(own, new SegmentBuilder(), new Uint8Array([1]), document)].length;
  assert.ok(pauses > SIZE / 1_100, `${pauses}`);
});
