import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Document, ObjectId } from 'bson';
import { TestSearch } from './testing-search.ts';

function searching(t: TestContext, documents: readonly Document[], definition?: Document) {
  const search = new TestSearch(documents, { mappings: { dynamic: true }, ...definition });
  t.after(() => search.close());
  return search;
}

const text = (query: string | readonly string[], path = 't') => ({ text: { query, path } });

test('near ignores numbers and dates in arrays', (t) => {
  const day = new Date(0);
  const search = searching(t, [
    { _id: 1, n: 5, d: day },
    { _id: 2, n: [5], d: [day] },
    { _id: 3, n: [5, 7], d: [day, day] },
  ]);
  assert.deepEqual(search.scores({ near: { path: 'n', origin: 5, pivot: 1 } }), { 1: 1 });
  assert.deepEqual(search.ids({ near: { path: 'd', origin: day, pivot: 1 } }), [1]);
  assert.deepEqual(search.ids({ range: { path: 'n', gte: 5 } }), [1, 2, 3]);
});

test('null and missing values sort as the lowest or the highest', (t) => {
  const search = searching(t, [
    { _id: 1, t: 'x', n: null },
    { _id: 2, t: 'x', n: 5 },
    { _id: 3, t: 'x' },
    { _id: 4, t: 'x', n: 9 },
    { _id: 5, t: 'x', n: [null, 7] },
  ]);
  const sorted = (n: unknown) => search.ids({ ...text('x'), sort: { n } });
  assert.deepEqual(sorted(1), [1, 3, 5, 2, 4]);
  assert.deepEqual(sorted(-1), [4, 5, 2, 1, 3]);
  assert.deepEqual(sorted({ order: 1, noData: 'highest' }), [2, 5, 4, 1, 3]);
  assert.deepEqual(sorted({ order: -1, noData: 'highest' }), [1, 3, 5, 4, 2]);
});

test('a highlighted field need not be searched', (t) => {
  const search = searching(t, [{ a: 'green tea', b: 'black tea' }]);
  const highlights = (path: unknown) =>
    search
      .aggregate(
        { $search: { ...text('tea', 'a'), highlight: { path } } },
        { $project: { h: { $meta: 'searchHighlights' } } },
      )[0]
      ?.h.map(({ path: own }: Document) => own);
  assert.deepEqual(highlights('b'), ['b']);
  assert.deepEqual(highlights(['a', 'b']), ['a', 'b']);
});

test('a hit that extends beyond the examined characters is not highlighted', (t) => {
  const search = searching(t, [{ t: 'A cup of green tea' }]);
  const values = (maxCharsToExamine: number) =>
    search
      .aggregate(
        { $search: { ...text(['cup', 'green']), highlight: { path: 't', maxCharsToExamine } } },
        { $project: { h: { $meta: 'searchHighlights' } } },
      )[0]
      ?.h.flatMap(({ texts }: Document) => texts.map(({ value }: Document) => value));
  assert.deepEqual(values(14), ['A ', 'cup', ' of ', 'green']);
  assert.deepEqual(values(13), ['A ', 'cup', ' of gree']);
  assert.deepEqual(values(4), []);
});

test('a highlight requires the offsets and the text of a field', (t) => {
  const fields = {
    a: { type: 'string' },
    b: { type: 'string', indexOptions: 'positions' },
    c: { type: 'string', store: false },
    d: { type: 'string', multi: { own: { type: 'string', indexOptions: 'freqs' } } },
  };
  const search = searching(t, [{ a: 'tea', b: 'tea', c: 'tea', d: 'tea' }], { mappings: { fields } });
  const stages = (path: unknown) => [
    { $search: { ...text('tea', 'a'), highlight: { path } } },
    { $project: { h: { $meta: 'searchHighlights' } } },
  ];
  for (const [path, name] of [
    ['b', 'b'],
    [['a', 'c'], 'c'],
    [{ value: 'd', multi: 'own' }, 'd'],
  ]) {
    assert.match(search.refused(...stages(path)), new RegExp(`path "${name}" .* "indexOptions" offsets`));
  }
  const paths = search.aggregate(...stages({ wildcard: '*' }))[0]?.h.map(({ path }: Document) => path);
  assert.deepEqual(paths.toSorted(), ['a', 'd']);
});

test('factors and distances of scores are positive', (t) => {
  const search = searching(t, [{ t: 'tea', n: 1 }]);
  for (const value of [0, -1]) {
    const boosted = { text: { path: 't', query: 'tea', score: { boost: { value } } } };
    assert.match(search.refused({ $search: boosted }), /"text.score.boost.value" must be positive/);
    const near = { path: 'n', origin: 1, pivot: value };
    assert.match(search.refused({ $search: { near } }), /"near.pivot" must be positive/);
    const gauss = { path: 'n', origin: 1, scale: value };
    const shaped = { text: { path: 't', query: 'tea', score: { function: { gauss } } } };
    assert.match(search.refused({ $search: shaped }), /gauss.scale" must be positive/);
  }
});

test('moreLikeThis cannot search embedded documents', (t) => {
  const fields = { list: { type: 'embeddedDocuments', dynamic: true } };
  const search = searching(t, [{ list: [{ t: 'a' }] }], { mappings: { dynamic: true, fields } });
  const operator = { moreLikeThis: { like: { list: { t: 'a' } } } };
  assert.match(
    search.refused({ $search: { embeddedDocument: { path: 'list', operator } } }),
    /"moreLikeThis" cannot be within "embeddedDocument"/,
  );
});

test('queryString rejects patterns that begin with a wildcard', (t) => {
  const search = searching(t, [{ _id: 1, t: 'banana' }]);
  const query = (value: string) => ({ queryString: { defaultPath: 't', query: value } });
  for (const value of ['*anana', '?anana', 't:*a', 'x OR *a']) {
    assert.match(search.refused({ $search: query(value) }), /could not be parsed/, value);
  }
  assert.deepEqual(search.ids(query('ban*a')), [1]);
  assert.deepEqual(search.ids(query('*')), [1]);
});

test('wildcard applies the filters of the analyzer to a query on an analyzed field', (t) => {
  const folding = {
    name: 'folding',
    tokenizer: { type: 'standard' },
    tokenFilters: [{ type: 'icuFolding' }],
  };
  const fields = {
    f: { type: 'string', analyzer: 'folding' },
    k: { type: 'string', analyzer: 'lucene.keyword' },
  };
  const search = searching(t, [{ _id: 1, t: 'Foo Bar', f: 'Été', k: 'Foo' }], {
    mappings: { dynamic: true, fields },
    analyzers: [folding],
  });
  const found = (path: string, query: string) =>
    search.ids({ wildcard: { path, query, allowAnalyzedField: true } }).length;
  assert.deepEqual([found('t', 'FO*'), found('t', 'FOO B*'), found('f', 'ÉT?')], [1, 0, 1]);
  assert.deepEqual([found('k', 'Fo*'), found('k', 'FO*')], [1, 0]);
});

test('regex has the operators of Lucene and no anchors', (t) => {
  const values = ['1', '3', '03', '10', '99', '100', 'xyz', '^a$', 'a.b', 'who?'];
  const fields = { k: { type: 'string', analyzer: 'lucene.keyword' } };
  const search = searching(
    t,
    values.map((k, _id) => ({ _id, k })),
    { mappings: { dynamic: false, fields } },
  );
  const found = (query: string) =>
    (search.ids({ regex: { path: 'k', query } }) as number[]).sort((a, b) => a - b).map((id) => values[id]);
  assert.deepEqual(found('<1-3>'), ['1', '3']);
  assert.deepEqual(found('<3-99>'), ['3', '03', '10', '99']);
  assert.deepEqual(found('<99-3>'), ['3', '03', '10', '99']);
  assert.deepEqual(found('<10-99>'), ['10', '99']);
  assert.deepEqual(found('<5-100>'), ['10', '99', '100']);
  assert.deepEqual(found('#|xyz'), ['xyz']);
  assert.deepEqual(found('x@'), ['xyz']);
  assert.deepEqual(found('^a$'), ['^a$']);
  assert.deepEqual(found('"a.b"'), ['a.b']);
  assert.deepEqual(found('who\\?'), ['who?']);
  assert.deepEqual(found('[<#]|[^0-9]{3}'), ['xyz', '^a$', 'a.b']);
});

test('text with synonyms and without criteria matches the terms in their positions', (t) => {
  const field = { type: 'string', analyzer: 'lucene.standard' };
  const search = new TestSearch(
    ['i like ships', 'i like vessels', 'ships i like', 'i like'].map((own, _id) => ({ _id, t: own })),
    {
      mappings: { dynamic: false, fields: { t: field } },
      synonyms: [{ name: 'same', analyzer: 'lucene.standard', source: { collection: 'words' } }],
    },
  );
  t.after(() => search.close());
  search.cluster.run({
    insert: 'words',
    documents: [{ mappingType: 'equivalent', synonyms: ['ships', 'vessels'] }],
  });
  search.settle();
  const found = (more: Document) =>
    search.ids({ text: { query: 'i like ships', path: 't', ...more } }).sort();
  assert.deepEqual(found({ synonyms: 'same' }), [0, 1]);
  assert.deepEqual(found({ synonyms: 'same', matchCriteria: 'all' }), [0, 1, 2]);
  assert.deepEqual(found({ synonyms: 'same', matchCriteria: 'any' }), [0, 1, 2, 3]);
  assert.deepEqual(found({}), [0, 1, 2, 3]);
});

test('synonyms may have several words', (t) => {
  const documents = ['i like nyc', 'i like new york city', 'new york', 'you like', 'nyc'].map(
    (words, _id) => ({
      _id,
      t: words,
    }),
  );
  const synonyms = [{ name: 'same', analyzer: 'lucene.standard', source: { collection: 'words' } }];
  const fields = { s: { type: 'string', analyzer: 'lucene.simple' } };
  const search = searching(t, documents, { mappings: { dynamic: true, fields }, synonyms });
  search.cluster.run({
    insert: 'words',
    documents: [
      { mappingType: 'equivalent', synonyms: ['nyc', 'new york city'] },
      { mappingType: 'explicit', input: ['the lakes'], synonyms: ['new york'] },
    ],
  });
  const found = (query: string, more: Document = {}, operator = 'text') =>
    search.ids({ [operator]: { path: 't', query, synonyms: 'same', ...more } }).sort();
  assert.deepEqual(found('i like nyc'), [0, 1]);
  assert.deepEqual(found('i like nyc', { matchCriteria: 'any' }), [0, 1, 3, 4]);
  assert.deepEqual(found('i like new york city', { matchCriteria: 'all' }), [0, 1]);
  assert.deepEqual(found('like new york city', {}, 'phrase'), [0, 1]);
  assert.deepEqual(found('the lakes'), [1, 2]);
  assert.deepEqual(found('new york'), [1, 2]);
  const refused = (more: Document) =>
    search.refused({ $search: { text: { path: 't', query: 'nyc', synonyms: 'same', ...more } } });
  assert.match(refused({ synonyms: '' }), /"text.synonyms" cannot be empty/);
  assert.match(
    refused({ path: 's' }),
    /only allowed with lucene.standard analyzer, field s is analyzed with/,
  );
});

test('explicit synonyms replace a phrase, unless it is a synonym of itself', (t) => {
  const words = ['race', 'contest', 'rally', 'boat', 'sail', 'big car', 'auto'];
  const synonyms = [{ name: 'same', analyzer: 'lucene.standard', source: { collection: 'words' } }];
  const search = searching(
    t,
    words.map((own, _id) => ({ _id, t: own })),
    { synonyms },
  );
  search.cluster.run({
    insert: 'words',
    documents: [
      { mappingType: 'explicit', input: ['race', 'big car'], synonyms: ['contest', 'rally'] },
      { mappingType: 'explicit', input: ['boat'], synonyms: ['boat', 'sail'] },
      { mappingType: 'explicit', input: ['auto'], synonyms: ['sail'] },
      { mappingType: 'equivalent', synonyms: ['auto', 'rally'] },
      { mappingType: 'explicit', input: ['sail'], synonyms: ['...'] },
    ],
  });
  for (const operator of ['text', 'phrase']) {
    const found = (query: string, more: Document = {}) =>
      search.ids({ [operator]: { path: 't', query, synonyms: 'same', ...more } }).sort();
    assert.deepEqual(found('race'), [1, 2]);
    assert.deepEqual(found('big car'), [1, 2]);
    assert.deepEqual(found('contest'), [1]);
    assert.deepEqual(found('boat'), [3, 4]);
    // An equivalent mapping of the same word keeps it.
    assert.deepEqual(found('auto'), [2, 4, 6]);
    assert.deepEqual(found('rally'), [2, 6]);
    // Synonyms without a word replace nothing.
    assert.deepEqual(found('sail'), [4]);
  }
  const criteria = { path: 't', query: 'race boat', synonyms: 'same', matchCriteria: 'any' };
  assert.deepEqual(search.ids({ text: criteria }).sort(), [1, 2, 3, 4]);
});

test('the path of `in` may be a wildcard, which matches fields that have the type of the values', (t) => {
  const at = new Date(5_000);
  const id = new ObjectId();
  const documents = [
    { _id: 0, a: 5, b: { c: 1 } },
    { _id: 1, a: 1, b: { c: [2, 6] } },
    { _id: 2, a: at, s: 'Tea', u: 'Tea' },
    { _id: 3, b: { c: true }, u: 'tea' },
    { _id: 4, a: id },
  ];
  const fields = { s: { type: 'token', normalizer: 'lowercase' }, u: { type: 'token' } };
  const search = searching(t, documents, { mappings: { dynamic: true, fields } });
  const found = (path: unknown, value: unknown) => search.ids({ in: { path, value } }).sort();
  assert.deepEqual(found({ wildcard: '*' }, [5, 6]), [0, 1]);
  assert.deepEqual(found({ wildcard: 'b.*' }, [5, 6]), [1]);
  assert.deepEqual(found(['a', { wildcard: 'b*' }], [5, 6]), [0, 1]);
  assert.deepEqual(found({ wildcard: '*' }, at), [2]);
  assert.deepEqual(found({ wildcard: '*' }, true), [3]);
  assert.deepEqual(found({ wildcard: '*' }, [id]), [4]);
  assert.deepEqual(found({ wildcard: '*' }, ['TEA']), [2]);
  assert.deepEqual(found({ wildcard: '*' }, ['tea']), [2, 3]);
  assert.deepEqual(found({ value: 'u' }, 'Tea'), [2]);
  assert.deepEqual(found({ wildcard: 'x*' }, 5), []);
  const refused = (path: unknown) => search.refused({ $search: { in: { path, value: 5 } } });
  assert.match(refused({ value: 'a', multi: 'm' }), /"in.path" cannot have "multi"/);
  assert.match(refused([]), /"in.path" cannot be empty/);
  assert.match(refused(5), /"in.path" must be a string/);
});

test('of several synonyms in a document, the best one scores', (t) => {
  const documents = [
    { _id: 1, t: 'fast quick' },
    { _id: 2, t: 'fast car' },
  ];
  const synonyms = [{ name: 'same', analyzer: 'lucene.standard', source: { collection: 'words' } }];
  const search = searching(t, documents, { synonyms });
  search.cluster.run({
    insert: 'words',
    documents: [{ mappingType: 'equivalent', synonyms: ['fast', 'quick'] }],
  });
  const spec = { path: 't', query: 'fast car', synonyms: 'same', matchCriteria: 'any' };
  assert.deepEqual(search.ids({ text: spec }), [2, 1]);
});

test('completions may extend over several words', (t) => {
  const titles = ['Men with Guns', 'Men Without Women', 'Without Men', 'Women Without Men'];
  const options = { type: 'autocomplete', minGrams: 3, maxGrams: 12 };
  const fields = { title: options, both: [options, { type: 'string' }] };
  const documents = titles.map((title, _id) => ({ _id, title, both: title }));
  const search = searching(t, documents, { mappings: { fields } });
  const spec = { path: 'title', query: 'men with' };
  assert.deepEqual(search.ids({ autocomplete: { ...spec, tokenOrder: 'sequential' } }), [0, 1]);
  // Documents with the words in order come first.
  assert.deepEqual(search.ids({ autocomplete: spec }).slice(0, 2), [0, 1]);
  assert.equal(search.ids({ autocomplete: spec }).length, 4);
  const { 0: title = 0 } = search.scores({ autocomplete: { path: 'title', query: 'guns' } });
  const { 0: both = 0 } = search.scores({ autocomplete: { path: 'both', query: 'guns' } });
  assert.ok(both > title);
  const fuzzy = { prefixLength: 13 };
  assert.match(
    search.refused({ $search: { autocomplete: { ...spec, fuzzy } } }),
    /cannot be greater than "maxGrams"/,
  );
});

test('a highlight of a field that is indexed only for completions extends over three words', (t) => {
  const fields = { t: { type: 'autocomplete' } };
  const search = searching(t, [{ t: 'The most common varieties of green pears.' }], { mappings: { fields } });
  const [found] = search.aggregate(
    { $search: { autocomplete: { path: 't', query: 'vari' }, highlight: { path: 't' } } },
    { $project: { h: { $meta: 'searchHighlights' } } },
  );
  assert.deepEqual(
    found?.h[0].texts.map(({ value }: Document) => value),
    ['The most common ', 'varieties of green', ' pears.'],
  );
});

test('the best passages are returned in the order of the text', (t) => {
  const search = searching(t, [{ t: 'A long sentence about tea and more. Tea. No cup. Tea and tea again.' }]);
  const passages = (maxNumPassages: number) =>
    search
      .aggregate(
        { $search: { ...text('tea'), highlight: { path: 't', maxNumPassages } } },
        { $project: { h: { $meta: 'searchHighlights' } } },
      )[0]
      ?.h.map(({ texts }: Document) => texts.map(({ value }: Document) => value).join(''));
  assert.deepEqual(passages(2), ['Tea. ', 'Tea and tea again.']);
  assert.equal(passages(5).length, 3);
});

test('the best of very many passages are returned', (t) => {
  const many = (count: number) => Array.from({ length: count }, () => 'Some tea here.');
  const best = ['Tea, tea and tea.', 'Tea and tea.'];
  const search = searching(t, [{ t: [...many(1_500), best[0], ...many(1_500), best[1], ...many(1_500)] }]);
  const [found] = search.aggregate(
    { $search: { ...text('tea'), highlight: { path: 't', maxNumPassages: 2 } } },
    { $project: { h: { $meta: 'searchHighlights' } } },
  );
  const joined = found?.h.map(({ texts }: Document) => texts.map(({ value }: Document) => value).join(''));
  assert.deepEqual(joined, best);
});

test('dynamic fields have the types of a type set', (t) => {
  const mappings = { dynamic: { typeSet: 'words' }, fields: { o: { type: 'document', dynamic: true } } };
  const types = [
    { type: 'string', indexOptions: 'positions' },
    { type: 'token', normalizer: 'lowercase' },
  ];
  const search = searching(t, [{ _id: 1, a: 'X y', n: 5, deep: { b: 'Z' }, o: { n: 5 } }], {
    mappings,
    typeSets: [{ name: 'words', types }],
  });
  assert.deepEqual(search.ids({ text: { path: 'a', query: 'x' } }), [1]);
  assert.deepEqual(search.ids({ equals: { path: 'deep.b', value: 'z' } }), [1]);
  assert.deepEqual(search.ids({ equals: { path: 'n', value: 5 } }), []);
  assert.deepEqual(search.ids({ equals: { path: 'o.n', value: 5 } }), [1]);
});

test('score details name the parts of a score', (t) => {
  const search = searching(t, [
    { _id: 1, t: 'green tea', n: 3 },
    { _id: 2, t: 'tea', n: 5 },
  ]);
  const details = (operator: Document) => {
    const spec = { $search: { ...operator, scoreDetails: true } };
    const shown = { score: { $meta: 'searchScore' }, d: { $meta: 'searchScoreDetails' } };
    const [found] = search.aggregate(spec, { $project: shown });
    assert.equal(found?.d.value, found?.score);
    return found?.d;
  };
  const { description, details: inner } = details(text('tea'));
  assert.equal(description, '$type:string/t:tea [BM25Similarity], result of:');
  assert.equal(inner[0].description, 'score(freq=1.0), computed as boost * idf * tf from:');
  const scored = (score: Document) => details({ text: { query: 'tea', path: 't', score } }).description;
  assert.equal(
    scored({ function: { multiply: [{ path: 'n' }, { score: 'relevance' }] } }),
    'FunctionScoreQuery($type:string/t:tea, scored by (n * scores)) [BM25Similarity], result of:',
  );
  assert.match(scored({ function: { constant: 3 } }), /scored by constant\(3\.0\)\)/);
  const compound = details({
    compound: { filter: [text('tea')], must: [{ range: { path: 'n', gte: 1, lte: 4 } }] },
  });
  const leaf = (value: number, own: string) => ({ value, description: own, details: [] });
  const range = leaf(1, '$type:double/n:[4607182418800017408 TO 4616189618054758400]');
  const sum = (parts: Document[]) => ({ value: 1, description: 'sum of:', details: parts });
  const clause = [leaf(0, '# clause'), leaf(1, '$type:string/t:tea')];
  assert.deepEqual(
    compound,
    sum([
      { value: 0, description: 'match on required clause, product of:', details: clause },
      sum([sum([range])]),
    ]),
  );
  assert.deepEqual(
    details({ near: { path: 'n', origin: 3, pivot: 2 } }).details.map(({ value }: Document) => value),
    [1, 2, 3, 3],
  );
});

test('a title that begins or ends with the completed word ranks before titles of the same length', (t) => {
  const titles = ['Off Beat', 'Off the Map', 'Hands off Mississippi', 'Taking Off', 'Face/Off', 'Set it Off'];
  const ranked = (tokenization: string) => {
    const autocomplete = { type: 'autocomplete', minGrams: 3, maxGrams: 7, tokenization };
    const fields = { title: [{ type: 'string' }, autocomplete] };
    const documents = titles.map((title, at) => ({ _id: at, title }));
    const search = new TestSearch(documents, { mappings: { dynamic: false, fields } });
    t.after(() => search.close());
    return search.scores({ autocomplete: { path: 'title', query: 'off' } });
  };
  // The manual prints scores in this order.
  const edge = ranked('edgeGram');
  assert.deepEqual(
    Object.keys(edge).toSorted((a, b) => (edge[b] ?? 0) - (edge[a] ?? 0)),
    [...['0', '1', '2', '3', '4', '5']],
  );
  assert.equal(edge[3], edge[4]);
  const right = ranked('rightEdgeGram');
  assert.equal(right[3], right[4]);
  assert.ok((right[3] ?? 0) > (right[5] ?? 0) && (right[5] ?? 0) > (right[2] ?? 0));
  assert.ok((right[3] ?? 0) > (right[0] ?? 0) && (right[0] ?? 0) > (right[1] ?? 0));
});

test('a span term is a single term, although its letter case is adjusted', (t) => {
  const search = new TestSearch([{ _id: 1, title: 'Slam Dance' }], { mappings: { dynamic: true } });
  t.after(() => search.close());
  const found = (query: string) => search.ids({ span: { term: { path: 'title', query } } });
  assert.deepEqual([found('Dance'), found('slam dance')], [[1], []]);
});

test('the score option of a span operator changes the scores', (t) => {
  const search = new TestSearch([{ _id: 1, t: 'slam dance' }], { mappings: { dynamic: true } });
  t.after(() => search.close());
  const term = { path: 't', query: 'dance' };
  const scoreOf = (span: Document) => search.scores({ span })[1];
  const constant = (value: number) => ({ constant: { value } });
  assert.equal(scoreOf({ term: { ...term, score: constant(7) } }), 7);
  assert.equal(scoreOf({ first: { operator: { term }, score: constant(8) } }), 8);
  const nested = { or: { clauses: [{ term: { ...term, score: constant(7) } }], score: constant(9) } };
  assert.equal(scoreOf(nested), 9);
  const wrong = { or: { clauses: [{ term: { ...term, score: { boost: {} } } }] } };
  assert.match(search.refused({ $search: { span: wrong } }), /must have exactly one of \[value, path\]/);
});

test('the score option "embedded" requires the operator embeddedDocument', (t) => {
  const fields = { list: { type: 'embeddedDocuments', dynamic: true } };
  const search = searching(t, [{ _id: 1, t: 'tea', list: [{ n: 1 }] }], {
    mappings: { dynamic: true, fields },
  });
  const score = { embedded: { aggregate: 'sum' } };
  const message = /score" must have exactly one of \[boost, constant, function\]/;
  assert.match(search.refused({ $search: { text: { path: 't', query: 'tea', score } } }), message);
  const operator = { range: { path: 'list.n', gte: 0 } };
  const embedded = (outerScore: Document) => ({
    embeddedDocument: { path: 'list', operator, score: { embedded: { outerScore } } },
  });
  assert.deepEqual(search.scores(embedded({ constant: { value: 5 } })), { 1: 5 });
  assert.match(search.refused({ $search: embedded(score) }), /outerScore" must have exactly one of/);
});

test('only the first 8181 characters of a token are indexed', (t) => {
  const fields = { t: { type: 'token' } };
  const search = new TestSearch([{ _id: 1, t: 'ä'.repeat(9_000) }], { mappings: { dynamic: false, fields } });
  t.after(() => search.close());
  const found = (length: number) => search.ids({ equals: { path: 't', value: 'ä'.repeat(length) } });
  assert.deepEqual([found(8_181), found(8_180)], [[1], []]);
});
