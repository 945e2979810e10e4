import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Binary } from 'bson';
import { shortestJsonOf } from './extended-json.ts';
import { JsonInTurns } from './json-in-turns.ts';
import { RawDocument } from './raw.ts';

const turns = { write: shortestJsonOf, turn: async () => {} };

const textOf = (value: unknown, characters: number) =>
  new JsonInTurns(characters, turns).textOf(RawDocument.from({ value }).toValue());

describe('JSON in turns', () => {
  it('counts characters, not bytes, in long values', async () => {
    const text = '\u{d55c}'.repeat(15_000);
    assert.equal(await textOf(text, 15_100), JSON.stringify({ value: text }));
    assert.equal(await textOf(text, 14_000), undefined);
  });

  it('counts the characters of binary data', async () => {
    const data = new Binary(Buffer.alloc(48_000));
    assert.equal((await textOf(data, 65_000))?.includes('AAAA'), true);
    assert.equal(await textOf(data, 40_000), undefined);
  });
});
