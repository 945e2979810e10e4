import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Document } from 'bson';
import { noEnvironment } from '../environment.ts';
import { compileFilter } from '../filter/index.ts';
import { metadataOf } from '../metadata.ts';
import { raw } from '../testing/documents.ts';
import { checkTextKeys } from './index-fields.ts';
import { languageNamed } from './language.ts';
import { termsOf } from './terms.ts';

const english = { key: { _fts: 'text', _ftsx: 1 }, weights: { t: 1 }, default_language: 'english' };

function score(search: Document | string, doc: Document, index: Document = english): number | undefined {
  const text = typeof search === 'string' ? { $search: search } : search;
  const environment = { ...noEnvironment, specialIndexes: () => [raw(index)] };
  const filter = compileFilter(raw({ $text: text }), environment);
  const found = raw(doc);
  return filter.matches(found) ? metadataOf(found)?.textScore : undefined;
}

describe('a text index', () => {
  for (const textIndexVersion of [1, 2]) {
    it(`of version ${textIndexVersion} is sensitive to diacritics`, () => {
      const index = { ...english, textIndexVersion };
      for (const search of ['café', '"CafÉ"']) assert.ok(score(search, { t: 'Café' }, index));
      for (const search of ['cafe', '"cafe"']) assert.equal(score(search, { t: 'Café' }, index), undefined);
    });
  }
});

describe('a text', () => {
  const cases: Array<[string, string, string[]]> = [
    ['english', 'The dogs were running, quickly!', ['dog', 'run', 'quick']],
    ['english', "don't well-known café_x $5 #tag", ['well', 'known', 'cafe_x', '5', 'tag']],
    ['none', 'The dogs', ['the', 'dogs']],
    ['french', 'je cours tous les jours', ['cour', 'tous', 'jour']],
    ['german', 'die Häuser', ['haus']],
    ['spanish', 'corriendo', ['corr']],
    ['russian', 'и книги', ['книг']],
    ['english', '数据库系统', ['数据库系统']],
  ];
  for (const [language, text, terms] of cases) {
    it(`in ${language} has terms: ${text}`, () => {
      const known = languageNamed(language);
      assert.ok(known);
      assert.deepEqual(termsOf(text, known), terms);
    });
  }

  it('accepts every language of the server by any of its names', () => {
    for (const name of [
      'da',
      'nl',
      'en',
      'fi',
      'fr',
      'de',
      'hu',
      'it',
      'nb',
      'pt',
      'ro',
      'ru',
      'es',
      'sv',
      'tr',
    ]) {
      const language = languageNamed(name);
      assert.ok(language && language.stem('abc').length > 0, name);
      assert.ok(!language.isStopWord('xylophone') && !language.isStopWord(''), name);
    }
    assert.equal(languageNamed('klingon'), undefined);
  });
});

describe('a search', () => {
  const cases: Array<[Document | string, string | string[], boolean]> = [
    ['coffee', 'Coffee is good', true],
    ['coffee tea', 'green tea', true],
    ['coffees', 'one coffee', true],
    ['blue', 'blueberries', false],
    ['the', 'the fox', false],
    ['cafe', 'CAFÉ', true],
    ['coffee -milk', 'coffee with milk', false],
    ['coffee -milk', 'black coffee', true],
    ['-milk', 'black coffee', false],
    ['well-known', 'known', true],
    ['"black coffee"', 'black coffee', true],
    ['"black coffee"', 'coffee, black', false],
    ['coffee -"with milk"', 'coffee with milk', false],
    ['"brown fox" "red dog"', 'brown fox', false],
    ['hello', ['x', 'hello'], true],
    [{ $search: 'Coffee', $caseSensitive: true }, 'Coffee', true],
    [{ $search: 'Coffee', $caseSensitive: true }, 'coffee', false],
    [{ $search: 'café', $diacriticSensitive: true }, 'cafe', false],
    [{ $search: 'café', $diacriticSensitive: true }, 'Café', true],
    [{ $search: 'running', $language: 'none' }, 'run', false],
    [{ $search: '' }, 'anything', false],
  ];
  for (const [search, t, expected] of cases) {
    it(`${JSON.stringify(search)} ${expected ? 'finds' : 'does not find'} ${JSON.stringify(t)}`, () => {
      assert.equal(score(search, { t }) !== undefined, expected);
    });
  }

  it("scores by the term's frequency, its share of the text, and the field's weight", () => {
    assert.equal(score('tea', { t: 'Tea' }), 1.1);
    assert.equal(score('coffee', { t: 'coffee database system' }), 0.5 / 3 + 0.5);
    assert.equal(score('coffee', { t: 'coffee coffee coffee' }), 1.75);
    assert.equal(score('coffee tea', { t: 'coffee tea' }), 1.5);
    assert.equal(score('tea', { t: ['tea', 'tea'] }), 2.2);
    const weighted = { ...english, weights: { t: 10, u: 2 } };
    assert.equal(score('coffee', { t: 'coffee bean', u: 'coffee bean' }, weighted), 9);
  });

  it('searches nested fields, all fields of a wildcard, and in the language of each document', () => {
    assert.equal(score('x', { a: [{ b: 'x y' }, { b: 'z' }] }, { ...english, weights: { 'a.b': 1 } }), 0.75);
    assert.equal(score('x', { a: { b: 'x y' } }), undefined);
    assert.equal(score('x', { a: { b: ['x y', 1] } }, { ...english, weights: { '$**': 1 } }), 0.75);
    const spanish = { $search: 'corriendo', $language: 'es' };
    assert.ok(score(spanish, { t: 'correr', language: 'spanish' }));
    assert.equal(score(spanish, { t: 'correr' }), undefined);
  });

  const refused: Array<[unknown, number]> = [
    ['coffee', 2],
    [{}, 4],
    [{ $search: 1 }, 14],
    [{ $search: 'a', $caseSensitive: 1 }, 14],
    [{ $search: 'a', $more: 1 }, 2],
    [{ $search: 'a', $language: 'klingon' }, 2],
  ];
  for (const [search, code] of refused) {
    it(`is refused with ${code}: ${JSON.stringify(search)}`, () => {
      const environment = { ...noEnvironment, specialIndexes: () => [raw(english)] };
      assert.throws(() => compileFilter(raw({ $text: search }), environment), { code });
    });
  }

  it('requires an index and equality on the fields before its text', () => {
    const search = { $text: { $search: 'a' } };
    assert.throws(() => compileFilter(raw(search)), { code: 27 });
    const environment = {
      ...noEnvironment,
      specialIndexes: () => [raw({ ...english, key: { kind: 1, _fts: 'text', _ftsx: 1 } })],
    };
    assert.throws(() => compileFilter(raw(search), environment), { code: 291 });
    assert.ok(compileFilter(raw({ ...search, kind: 1 }), environment));
    assert.throws(() => compileFilter(raw({ $nor: [search] }), environment), { code: 2 });
  });
});

describe('a document in a text index', () => {
  it('rejects an unknown language', () => {
    checkTextKeys(raw(english), raw({ t: 'x', language: 'german' }));
    assert.throws(() => checkTextKeys(raw(english), raw({ t: 'x', language: 'klingon' })), { code: 17262 });
    assert.throws(() => checkTextKeys(raw(english), raw({ t: 'x', language: 1 })), { code: 17261 });
  });
});

it('words of hundreds of thousands of combining marks become terms in linear time', () => {
  const known = languageNamed('english');
  assert.ok(known);
  assert.deepEqual(termsOf(`cafe${'\u0301\u0323'.repeat(400_000)}`, known), ['cafe']);
});
