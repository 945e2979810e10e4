import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WrittenJson } from '../written-json.ts';
import { pretty } from './pretty.ts';
import { TextPieces } from './text-pieces.ts';
import { writtenInTurns } from './written.ts';

const KB = 1024;
const items = (count: number) =>
  Array.from({ length: count }, (_, id) => ({
    id,
    empty: {},
    none: [],
    left: undefined,
    deep: { list: [id, null, 'é"'] },
  }));

async function inTurns(value: unknown, format: { readonly envelope: boolean; readonly pretty: boolean }) {
  let turns = 0;
  const text = await writtenInTurns({ kind: 'whole', value }, 200, format, {
    turn: async () => void turns++,
  });
  return { text: String(text), turns };
}

test('a large response is serialized in pieces, with the same text as in one go', async () => {
  const value = { links: [], results: items(20_000), last: { empty: {} } };
  const plain = await inTurns(value, { envelope: false, pretty: false });
  assert.equal(plain.text, JSON.stringify(value));
  assert.ok(plain.turns >= Math.floor(plain.text.length / (80 * KB)), `${plain.turns}`);
  const indented = await inTurns(value, { envelope: false, pretty: true });
  assert.equal(indented.text, pretty(value));
  assert.ok(indented.turns >= Math.floor(indented.text.length / (80 * KB)), `${indented.turns}`);
});

test('a large response is encoded in pieces, each of which is sent when the client has read the previous one', async () => {
  const format = { envelope: false, pretty: false };
  const value = items(20_000);
  const text = await writtenInTurns({ kind: 'whole', value }, 200, format, { turn: async () => {} });
  assert.ok(text instanceof TextPieces);
  const lengths: number[] = [];
  for await (const piece of text.stream()) lengths.push(piece.length);
  assert.ok(Math.max(...lengths) < 80 * KB, `${lengths}`);
  assert.equal(
    lengths.reduce((sum, length) => sum + length, 0),
    text.length,
  );
  assert.equal(text.length, Buffer.byteLength(JSON.stringify(value)));
});

test('a response that is too long is refused before the rest of it is serialized', async () => {
  const value = items(20_000);
  const format = { envelope: false, pretty: false };
  let turns = 0;
  const write = writtenInTurns({ kind: 'whole', value }, 200, format, {
    most: 100 * KB,
    turn: async () => void turns++,
  });
  await assert.rejects(write, { code: 'PLATFORM_GENERAL_ERROR' });
  assert.ok(turns <= 2, `${turns}`);
});

test('a small response is serialized in one go', async () => {
  const value = items(20);
  assert.deepEqual(await inTurns(value, { envelope: true, pretty: false }), {
    text: JSON.stringify({ content: value, status: 200 }),
    turns: 0,
  });
});

test('text that is JSON already is part of a response unchanged', async () => {
  const value = { isCut: false, reply: new WrittenJson('{"b": 1, "7": 2.0}') };
  const { text } = await inTurns(value, { envelope: true, pretty: false });
  assert.equal(text, '{"content":{"isCut":false,"reply":{"b": 1, "7": 2.0}},"status":200}');
  const indented = await inTurns(value, { envelope: false, pretty: true });
  assert.equal(indented.text, '{\n  "isCut" : false,\n  "reply" : {\n    "b" : 1,\n    "7" : 2\n  }\n}');
});
