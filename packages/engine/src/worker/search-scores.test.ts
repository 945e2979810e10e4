import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Document } from 'bson';
import { TestSearch } from './testing-search.ts';

const documents = [
  { _id: 1, t: 'green tea' },
  { _id: 2, t: 'tea from the green hills' },
  { _id: 3, t: 'black tea' },
  { _id: 4, t: 'coffee' },
];

function searching(t: TestContext, field?: Document) {
  const mappings = field === undefined ? { dynamic: true } : { fields: { t: { type: 'string', ...field } } };
  const search = new TestSearch(documents, { mappings });
  t.after(() => search.close());
  return search;
}

type Search = ReturnType<typeof searching>;

function detailsOf(search: Search, operator: Document): Document {
  const shown = { score: { $meta: 'searchScore' }, d: { $meta: 'searchScoreDetails' } };
  const [found] = search.aggregate({ $search: { ...operator, scoreDetails: true } }, { $project: shown });
  assert.equal(found?.d.value, found?.score);
  return found?.d;
}

const scored = (score: Document, query = 'green') => ({ text: { path: 't', query, score } });
const spanTerm = (query: string) => ({ term: { path: 't', query } });

const { fround } = Math;

/** The inverse document frequency of a term. */
const idf = (found: number) => fround(Math.log(1 + (4 - found + 0.5) / (found + 0.5)));

/** The score of one occurrence in a text, with the roundings of Lucene. The average length of the texts is 2.5. */
function score(weight: number, length: number): number {
  const norm = fround(1 / fround(fround(1.2) * fround(0.25 + fround(fround(0.75 * length) / 2.5))));
  return fround(weight - fround(weight / fround(1 + norm)));
}

test('phrases and spans have scores of 32 bits that equal those of terms to the last digit', (t) => {
  const search = searching(t);
  const asText = search.scores({ text: { path: 't', query: 'green' } });
  assert.deepEqual(Object.keys(asText), ['1', '2']);
  assert.deepEqual(search.scores({ span: spanTerm('green') }), asText);
  const phrase = search.scores({ phrase: { path: 't', query: 'green tea' } });
  assert.deepEqual(phrase, { 1: score(fround(idf(2) + idf(3)), 2) });
});

test('a phrase counts less, the more its terms have moved', (t) => {
  const search = searching(t);
  const freqOf = (query: string) => {
    const { details } = detailsOf(search, { phrase: { path: 't', query, slop: 9 } });
    return /phraseFreq=([0-9.]+)/.exec(JSON.stringify(details))?.[1];
  };
  assert.equal(freqOf('tea hills'), '0.25');
  assert.equal(freqOf('hills tea'), '0.16666667');
  assert.equal(freqOf('hills green'), '0.33333334');
});

test('phrases and spans are scored by the similarity and the norms of their field', (t) => {
  const alike = searching(t, { similarity: { type: 'boolean' } });
  const phrase = { path: 't', query: 'green tea', slop: 9 };
  assert.deepEqual(alike.scores({ phrase }), { 1: 1, 2: 1 });
  assert.deepEqual(alike.scores({ phrase: { ...phrase, score: { boost: { value: 3 } } } }), { 1: 3, 2: 3 });
  assert.deepEqual(alike.scores({ span: spanTerm('tea') }), { 1: 1, 2: 1, 3: 1 });
  const long = searching(t, { norms: 'omit' }).scores({ span: spanTerm('green') });
  assert.equal(long[1], long[2]);
});

test('a boost is a factor of the weight of terms', (t) => {
  const search = searching(t);
  const boosted = detailsOf(search, scored({ boost: { value: 3 } }));
  assert.equal(boosted['value'], score(fround(3 * idf(2)), 2));
  assert.equal(boosted['description'], '$type:string/t:green [BM25Similarity], result of:');
  const [computed] = boosted['details'];
  assert.equal(computed.description, 'score(freq=1.0), computed as boost * idf * tf from:');
  assert.deepEqual(computed.details[0], { value: 3, description: 'boost', details: [] });
  const sum = detailsOf(search, scored({ boost: { value: 3 } }, 'green tea'));
  assert.equal(sum['description'], 'sum of:');
  assert.deepEqual(
    sum['details'].map(({ details }: Document) => details[0].details[0].value),
    [3, 3],
  );
});

test('a boost in a queryString is a factor of the weight of terms', (t) => {
  const search = searching(t);
  for (const word of ['green', 'tea', 'black', 'coffee']) {
    const expected = search.scores(scored({ boost: { value: 0.3 } }, word));
    const queryString = { defaultPath: 't', query: `${word}^0.3` };
    assert.deepEqual(search.scores({ queryString }), expected);
    assert.match(JSON.stringify(detailsOf(search, { queryString })), /computed as boost \* idf \* tf/);
  }
});

test('score details describe phrases, spans and constant scores', (t) => {
  const search = searching(t);
  const description = (operator: Document) => detailsOf(search, operator)['description'];
  const own = '$type:string/t';
  assert.equal(
    description({ phrase: { path: 't', query: 'green tea' } }),
    `${own}:"green tea" [BM25Similarity], result of:`,
  );
  const { details } = detailsOf(search, { phrase: { path: 't', query: 'tea hills', slop: 5 } });
  assert.match(details[0].description, /^score\(freq=0\.25\), /);
  const [sum, often] = details[0].details;
  assert.equal(sum.description, 'idf, sum of:');
  assert.equal(sum.details.length, 2);
  assert.equal(often.details[0].description, 'phraseFreq=0.25');
  const clauses = [spanTerm('tea'), spanTerm('green')];
  const near = { near: { clauses, slop: 3, inOrder: true } };
  const text = `spanNear([${own}:tea, ${own}:green], 3, true)`;
  assert.equal(description({ span: near }), `${text} [BM25Similarity], result of:`);
  const first = { first: { operator: near, endPositionLte: 9 } };
  assert.equal(description({ span: first }), `spanFirst(${text}, 9) [BM25Similarity], result of:`);
  assert.equal(
    description({ span: { or: { clauses } } }),
    `spanOr([${own}:tea, ${own}:green]) [BM25Similarity], result of:`,
  );
  assert.equal(description(scored({ constant: { value: 2.5 } })), `ConstantScore(${own}:green)^2.5`);
  assert.equal(description(scored({ constant: { value: 1 } })), `ConstantScore(${own}:green)`);
  const wildcard = { path: 't', query: 'gre*', allowAnalyzedField: true, score: { boost: { value: 2 } } };
  assert.equal(description({ wildcard }), `${own}:gre*^2.0`);
});

test('sums of scores are rounded once, whatever the order of the clauses', (t) => {
  const search = searching(t);
  const words = ['green', 'tea', 'hills', 'from', 'the'];
  const text = (query: string) => ({ text: { path: 't', query } });
  const parts = words.map((word) => search.scores(text(word))[2] ?? 0);
  const sum = fround(parts.reduce((before, part) => before + part, 0));
  const clauses = words.map(text);
  for (const list of [clauses, clauses.toReversed()]) {
    assert.equal(search.scores({ compound: { should: list } })[2], sum);
    assert.equal(search.scores({ compound: { must: list } })[2], sum);
    assert.equal(search.scores(text(list.map((one) => one.text.query).join(' ')))[2], sum);
  }
});

test('scores of embedded documents are added up before they are rounded', (t) => {
  const list = ['tea', 'green tea', 'green tea from the hills', 'tea leaves'].map((own) => ({ t: own }));
  const fields = { list: { type: 'embeddedDocuments', dynamic: true } };
  const search = new TestSearch(
    [{ _id: 1, list }, ...list.map((one, at) => ({ _id: 2 + at, list: [one] }))],
    {
      mappings: { fields },
    },
  );
  t.after(() => search.close());
  const scores = (aggregate: string) => {
    const operator = { text: { path: 'list.t', query: 'tea' } };
    const score = { embedded: { aggregate } };
    return search.scores({ embeddedDocument: { path: 'list', operator, score } });
  };
  const parts = [2, 3, 4, 5].map((id) => scores('sum')[id] ?? 0);
  const sum = parts.reduce((before, part) => before + part, 0);
  assert.equal(scores('sum')[1], fround(sum));
  assert.equal(scores('mean')[1], fround(sum / 4));
  assert.equal(scores('maximum')[1], Math.max(...parts));
  assert.equal(scores('minimum')[1], Math.min(...parts));
});

test('a fusion of searches assigns its own scores', (t) => {
  const search = searching(t);
  const text = (query: string) => [{ $search: { text: { path: 't', query } } }];
  const pipelines = { green: text('green'), black: text('black') };
  const shown = { $project: { score: { $meta: 'score' }, details: { $meta: 'scoreDetails' } } };
  const [green = {}, black = {}] = ['green', 'black'].map((query) =>
    search.scores({ text: { path: 't', query } }),
  );
  const byRank = search.aggregate({ $rankFusion: { input: { pipelines }, scoreDetails: true } }, shown);
  assert.deepEqual(
    byRank.map(({ _id, score, details }) => [_id, score, details.value]),
    [
      [1, 1 / 61, 1 / 61],
      [3, 1 / 61, 1 / 61],
      [2, 1 / 62, 1 / 62],
    ],
  );
  const valueIn = (pipeline: string, { details }: Document) =>
    details.details.find((one: Document) => one.inputPipelineName === pipeline).value;
  assert.deepEqual(
    byRank.map((found) => [valueIn('green', found), valueIn('black', found)]),
    [
      [green[1], undefined],
      [undefined, black[3]],
      [green[2], undefined],
    ],
  );
  const input = { pipelines, normalization: 'none' };
  const byScore = search.aggregate({ $scoreFusion: { input, scoreDetails: true } }, shown);
  const expected = { 1: (green[1] ?? 0) / 2, 2: (green[2] ?? 0) / 2, 3: (black[3] ?? 0) / 2 };
  assert.deepEqual(Object.fromEntries(byScore.map(({ _id, score }) => [_id, score])), expected);
});
