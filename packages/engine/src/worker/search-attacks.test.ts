import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Document } from 'bson';
import { TestSearch } from './testing-search.ts';

/**
 * The tests run searches that would never end or would use up the memory. Such searches must be rejected or
 * truncated.
 */

const FIELDS = {
  k: [{ type: 'string', analyzer: 'lucene.keyword' }, { type: 'token' }, { type: 'autocomplete' }],
};

function attacked(t: TestContext): TestSearch {
  const documents = Array.from({ length: 300 }, (_, _id) => ({
    _id,
    t: 'same same',
    k: `key${_id}`,
    n: _id,
  }));
  const search = new TestSearch(
    [...documents, { _id: 'big', t: 'a '.repeat(100_000), k: 'a'.repeat(30_000) }],
    {
      mappings: { dynamic: true, fields: FIELDS },
    },
  );
  t.after(() => search.close());
  return search;
}

const many = (count: number, make: (at: number) => unknown) =>
  Array.from({ length: count }, (_, at) => make(at));

test('a term or span with a boost is one clause', (t) => {
  const search = attacked(t);
  const boost = { score: { boost: { value: 2 } } };
  const words = many(1_000, (at) => `w${at}`).join(' ');
  const terms = many(9, () => ({ text: { query: words, path: 't', ...boost } }));
  assert.deepEqual(search.ids({ compound: { should: terms } }), []);
  const phrases = many(1_000, (at) => `p${at} q${at}`);
  const spans = many(9, () => ({ phrase: { query: phrases, path: 't', ...boost } }));
  assert.deepEqual(search.ids({ compound: { should: spans } }), []);
  const query = many(9_000, (at) => `w${at}^2`).join(' ');
  assert.deepEqual(search.ids({ queryString: { defaultPath: 't', query } }), []);
});

test('a search that is too large is refused with a reason', (t) => {
  const search = attacked(t);
  const words = (field: number) => many(5_000, (at) => `f${field}x${at}`).join(' ');
  const manyWords = Object.fromEntries(Array.from({ length: 50 }, (_, field) => [`f${field}`, words(field)]));
  const clauses = /maxClauseCount is set to 1024/;
  const cases: ReadonlyArray<readonly [Document, RegExp]> = [
    [{ phrase: { query: 'a '.repeat(1_000_000), path: 't' } }, clauses],
    [{ text: { query: many(2_000, (at) => `w${at}`).join(' '), path: 't' } }, clauses],
    [{ compound: { should: many(2_000, () => ({ exists: { path: 't' } })) } }, clauses],
    [{ wildcard: { query: many(2_000, (at) => `*${at}`), path: 'k' } }, clauses],
    [{ autocomplete: { query: 'a '.repeat(2_000), path: 'k' } }, clauses],
    [{ queryString: { defaultPath: 't', query: 'a'.repeat(200_000) } }, clauses],
    [{ text: { query: 'same', path: many(20_000, () => 't') } }, /more than 16384 clauses/],
    [{ phrase: { query: 'a '.repeat(1_000), path: 't' } }, /more than 500000000 steps/],
    [{ moreLikeThis: { like: [manyWords] } }, /moreLikeThis of the search take more than 104857600 bytes/],
    [{ wildcard: { query: 'a'.repeat(100_001), path: 'k' } }, /more than 100000 characters/],
    [{ regex: { query: '(a|b)?'.repeat(1_000), path: 'k' } }, /more than 1024 operators/],
    [{ regex: { query: `<1-${'9'.repeat(19)}>`, path: 'k' } }, /numeric range of more than 18 digits/],
    [{ regex: { query: '<1-999999>'.repeat(100), path: 'k' } }, /more than 1024 operators/],
    [
      { regex: { query: `${'('.repeat(300)}a${')'.repeat(300)}`.repeat(2), path: 'k' } },
      /operators|not a valid/,
    ],
    [{ regex: { query: '(a', path: 'k' } }, /"regex.query" is not a valid regular expression/],
    [{ queryString: { defaultPath: 'k', query: '/(a/' } }, /"queryString.query" is not a valid regular/],
    [{ queryString: { defaultPath: 't', query: '('.repeat(40_000) } }, /could not be parsed/],
    [{ queryString: { defaultPath: 't', query: `${'a:'.repeat(40_000)}b` } }, /could not be parsed/],
  ];
  for (const [stage, said] of cases) assert.match(search.refused({ $search: stage }), said);
});

test('long texts are searched and highlighted as short ones are', (t) => {
  const sentence = 'The crew is on deck. ';
  const long = `${sentence.repeat(20_000)}A harbour at last.`;
  const search = new TestSearch([{ _id: 1, t: long }], { mappings: { dynamic: true } });
  t.after(() => search.close());
  const highlight = { path: 't', maxCharsToExamine: 2_000_000, maxNumPassages: 1 };
  const [found] = search.aggregate(
    { $search: { text: { query: 'harbour', path: 't' }, highlight } },
    { $project: { marks: { $meta: 'searchHighlights' } } },
  );
  assert.deepEqual(found?.['marks'][0].texts, [
    { value: 'A ', type: 'text' },
    { value: 'harbour', type: 'hit' },
    { value: ' at last.', type: 'text' },
  ]);
  assert.deepEqual(search.ids({ moreLikeThis: { like: [{ t: long }] } }), [1]);
  const geometry = { type: 'Polygon', coordinates: [many(100_000, (at) => [at / 1_000, 0.5])] };
  const tooLarge = { geoWithin: { path: 'g', geometry } };
  assert.match(search.refused({ $search: tooLarge }), /"geoWithin.geometry" is larger than 2097152 bytes/);
});

test('patterns match without backtracking', (t) => {
  const search = attacked(t);
  assert.deepEqual(search.ids({ wildcard: { query: `${'*a'.repeat(30)}*b`, path: 'k' } }), []);
  assert.deepEqual(search.ids({ wildcard: { query: `${'*a'.repeat(30)}*`, path: 'k' } }), ['big']);
  assert.deepEqual(search.ids({ wildcard: { query: 'k?y1?\\*', path: 'k' } }), []);
  assert.equal(search.ids({ wildcard: { query: 'k?y1?', path: 'k' } }).length, 10);
  assert.deepEqual(search.ids({ regex: { query: '(a+)+b', path: 'k' } }), []);
  assert.deepEqual(search.ids({ regex: { query: '(a+)+', path: 'k' } }), ['big']);
  assert.deepEqual(search.ids({ phrase: { query: 'a a a', path: 't', slop: 3 } }), ['big']);
});

test('a text with too many tokens is indexed up to the memory limit', (t) => {
  const wide = { minGram: 1, maxGram: 2 ** 31 - 1 };
  const keyword = { type: 'keyword' };
  const blowUp = many(8, () => ({
    type: 'regex',
    pattern: 'a',
    replacement: 'a'.repeat(50),
    matches: 'all',
  }));
  const mappings = { mappings: { a: 'a'.repeat(50) } };
  const analyzers = [
    { name: 'grams', tokenizer: { type: 'nGram', ...wide } },
    { name: 'pieces', tokenizer: keyword, tokenFilters: [{ type: 'nGram', ...wide }] },
    {
      name: 'shingles',
      tokenizer: { type: 'whitespace' },
      tokenFilters: [{ type: 'shingle', minShingleSize: 2, maxShingleSize: 2 ** 31 - 1 }],
    },
    { name: 'replaced', tokenizer: keyword, tokenFilters: blowUp },
    { name: 'mapped', charFilters: many(8, () => ({ type: 'mapping', ...mappings })), tokenizer: keyword },
  ];
  const fields = Object.fromEntries(
    analyzers.map(({ name }) => [name, { type: 'string', analyzer: name, searchAnalyzer: 'lucene.keyword' }]),
  );
  const text = 'ab '.repeat(3_000);
  const document = Object.fromEntries(analyzers.map(({ name }) => [name, text]));
  const search = new TestSearch([{ _id: 1, last: 'word', ...document }], {
    mappings: { dynamic: true, fields },
    analyzers,
  });
  t.after(() => search.close());
  assert.deepEqual(search.ids({ text: { query: 'word', path: 'last' } }), [1]);
  assert.deepEqual(search.ids({ text: { query: 'ab ab', path: 'grams' } }), [1]);
  assert.deepEqual(search.ids({ text: { query: 'ab ab', path: 'shingles' } }), [1]);
});

test('a phrase or text with synonyms has no more words than one without', (t) => {
  const analyzer = 'lib.standard';
  const search = new TestSearch([{ _id: 1, t: 'a' }], {
    mappings: { dynamic: true },
    synonyms: [{ name: 'same', analyzer, source: { collection: 'words' } }],
  });
  t.after(() => search.close());
  const synonyms = many(1_100, (at) => `s${at}`);
  search.cluster.run({ insert: 'words', documents: [{ mappingType: 'equivalent', synonyms }] });
  const refused = (operator: string, query: string, more: Document = {}) =>
    search.refused({ $search: { [operator]: { path: 't', synonyms: 'same', query, ...more } } });
  const clauses = /maxClauseCount is set to 1024/;
  assert.match(refused('phrase', 'a '.repeat(1_025)), clauses);
  assert.match(refused('text', 'a '.repeat(1_025)), clauses);
  assert.match(refused('text', 's1', { matchCriteria: 'any' }), clauses);
  assert.match(refused('phrase', 's1'), clauses);
});
