import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawDocument } from '@portolan/engine/management';
import { Code, type Document, Double, Long, serialize } from 'bson';
import { shown } from './reply.ts';
import { MAX_REPLY_BYTES } from './rules.ts';

const MB = 1024 * 1024;
const numbers = (size: number) => Array.from({ length: size }, (_, i) => i);

/** Converts a reply. Counts how often the conversion yields to other requests. */
async function converted(reply: Document) {
  let turns = 0;
  const raw = new RawDocument(serialize(reply));
  const answer = await shown('find', raw, false, async () => void turns++);
  return { text: answer.reply.text, isCut: answer.isCut, turns, bytes: raw.length };
}

test('a reply keeps the order of fields and has no cluster times', async () => {
  const documents = [{ b: 1, a: new Double(2), 7: Long.fromNumber(3) }];
  const cursor = { id: Long.fromNumber(5), ns: 'harbour.ships', firstBatch: documents };
  const { text, isCut } = await converted({ cursor, ok: new Double(1), operationTime: 1, $clusterTime: {} });
  const shownDocument = '{"7":{"$numberLong":"3"},"b":1,"a":{"$numberDouble":"2.0"}}';
  assert.equal(text, `{"cursor":{"id":0,"ns":"harbour.ships","firstBatch":[${shownDocument}]},"ok":1.0}`);
  assert.equal(isCut, false);
});

test('others have a turn after every 64 KiB of a long reply, whatever it consists of', async () => {
  const replies: Readonly<Record<string, Document>> = {
    'many documents': { cursor: { firstBatch: numbers(900).map((_id) => ({ _id, t: 'x'.repeat(3000) })) } },
    'a long array in a document': { cursor: { firstBatch: [{ a: numbers(200_000) }] } },
    'many fields of a document': {
      cursor: { firstBatch: [Object.fromEntries(numbers(100_000).map((i) => [`f${i}`, i]))] },
    },
    'nested documents': {
      cursor: { firstBatch: [{ a: { b: numbers(5000).map((c) => ({ c, d: [c, c] })) } }] },
    },
    'a long scope of code': { cursor: { firstBatch: [{ c: new Code('', { a: numbers(200_000) }) }] } },
    'long values': { values: numbers(900).map((i) => ({ i, a: numbers(300) })) },
    'a long field': { ok: 1, queryPlanner: { stages: numbers(20_000).map((n) => ({ n })) } },
  };
  for (const [name, reply] of Object.entries(replies)) {
    const { turns, bytes } = await converted(reply);
    assert.ok(turns >= Math.floor(bytes / (64 * 1024)), `${name}: ${turns} turns for ${bytes} bytes`);
  }
});

test('a reply ends before the first document that exceeds the limit, which is not converted as a whole', async () => {
  const documents = [{ a: 1 }, { a: numbers(1_000_000) }, { a: 2 }];
  const { text, isCut, turns } = await converted({ cursor: { firstBatch: documents } });
  assert.match(text, /"firstBatch":\[\{"a":1\}\]/);
  assert.equal(isCut, true);
  assert.ok(turns < (12 * MB) / (32 * 1024), `${turns} turns`);
  // A character can take three bytes. Only a value three times as long as the limit certainly exceeds it.
  const long = await converted({ values: ['x', 'x'.repeat(3 * MAX_REPLY_BYTES + MB), 'y'] });
  assert.deepEqual([long.text, long.isCut, long.turns], ['{"values":["x"]}', true, 0]);
});

test('a field that exceeds the limit is an error', async () => {
  await assert.rejects(converted({ ok: 1, plan: 'x'.repeat(MAX_REPLY_BYTES) }), {
    code: 'DATABASE_REPLY_TOO_LARGE',
  });
});
