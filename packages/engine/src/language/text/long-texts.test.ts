import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pollsOf } from '../../bson/testing-turns.ts';
import { languageNamed } from './language.ts';
import { folded, type Language, termsOf } from './terms.ts';

const english = languageNamed('english') as Language;

describe('the terms of a long text', () => {
  it('are the same as those of its parts', () => {
    const words = Array.from({ length: 20_000 }, (_, i) => `w${i}`);
    assert.deepEqual(termsOf(words.join(' '), english), words);
    const others = words.map((word) => `${word}é`);
    assert.deepEqual(termsOf(others.join(', '), english, { diacriticSensitive: true }), others);
  });

  it('are found in pieces, between which other statements can run', () => {
    const text = 'word '.repeat(100_000);
    assert.ok(pollsOf(() => termsOf(text, english)) > 10);
    assert.ok(pollsOf(() => termsOf(`é${text}`, english)) > 10);
  });

  it('contain long words as they are, because stemming them would take too long', () => {
    const word = `${'running'.repeat(50)}ing`;
    assert.deepEqual(termsOf(`${word} running`, english), [word, 'run']);
  });
});

describe('a long text that is folded for the search of phrases', () => {
  it('is the same as its parts, and other statements can run in between', () => {
    const part = 'Cafe\u0301 \u1112\u1161\u11ab ÀΣ. ';
    const options = {};
    let whole = '';
    const polls = pollsOf(() => {
      whole = folded(part.repeat(20_000), options);
    });
    assert.equal(whole, folded(part, options).repeat(20_000));
    assert.ok(polls > 10, `${polls}`);
  });
});
