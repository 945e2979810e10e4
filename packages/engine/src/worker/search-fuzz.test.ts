import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dice } from '@portolan/test-support/random';
import { Binary, type Document, Double, Int32, Long, ObjectId, Timestamp, UUID } from 'bson';
import { TestSearch } from './testing-search.ts';

/** The variable `FUZZ_SEARCHES` sets the number of random searches, and `FUZZ_SEED` the seed. */
const SEARCHES = Number(process.env['FUZZ_SEARCHES'] ?? 1_500);
const SEED = Number(process.env['FUZZ_SEED'] ?? 17);

const uuid = new UUID('00112233-4455-6677-8899-aabbccddeeff');
const id = new ObjectId('0123456789abcdef01234567');
const point = { type: 'Point', coordinates: [1, 2] };
const square = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
      [0, 0],
    ],
  ],
};

const documents = Array.from({ length: 40 }, (_, _id) => ({
  _id,
  t: ['a ship at night', 'the quick harbour', 'lighthouse', ''][_id % 4],
  s: ['red', 'green'][_id % 2],
  n: _id % 7,
  d: new Date(_id * 86_400_000),
  b: _id % 2 === 0,
  u: uuid,
  o: id,
  g: { type: 'Point', coordinates: [_id % 5, _id % 3] },
  v: [_id, 1],
  parts: [
    { name: 'mast', n: _id, inner: [{ w: 'rope' }] },
    { name: 'keel', n: 1 },
  ],
  deep: { text: 'deep water', list: ['one', 'two words', 3, null] },
}));

const definition = {
  mappings: {
    dynamic: true,
    fields: {
      t: [
        { type: 'string', multi: { exact: { type: 'string', analyzer: 'lucene.keyword' } } },
        { type: 'autocomplete' },
      ],
      s: [{ type: 'token' }, { type: 'stringFacet' }],
      n: [{ type: 'number' }, { type: 'numberFacet' }],
      d: [{ type: 'date' }, { type: 'dateFacet' }],
      g: { type: 'geo', indexShapes: true },
      v: { type: 'knnVector', dimensions: 2, similarity: 'euclidean' },
      parts: {
        type: 'embeddedDocuments',
        dynamic: true,
        storedSource: true,
        fields: { inner: { type: 'embeddedDocuments', dynamic: true, storedSource: true } },
      },
    },
  },
  storedSource: true,
  synonyms: [{ name: 'same', analyzer: 'lucene.standard', source: { collection: 'words' } }],
};

const text = {
  text: { query: 'ship night', path: 't', fuzzy: { maxEdits: 1, prefixLength: 0, maxExpansions: 5 } },
};
const term = { term: { path: 't', query: 'ship' } };
const bases: readonly Document[] = [
  { ...text, highlight: { path: ['t', { wildcard: 'd*' }], maxNumPassages: 2 }, count: { type: 'total' } },
  { text: { query: ['ship', 'mast'], path: { value: 't', multi: 'exact' }, matchCriteria: 'all' } },
  {
    text: { query: 'ship', path: 't', synonyms: 'same' },
    scoreDetails: true,
    sort: { n: 1, s: { $meta: 'searchScore' } },
  },
  { phrase: { query: 'quick harbour', path: ['t', 'deep.text'], slop: 2, score: { boost: { value: 2 } } } },
  { autocomplete: { query: 'lig', path: 't', tokenOrder: 'sequential', fuzzy: { maxEdits: 2 } } },
  { wildcard: { query: 'sh?p*', path: 't', allowAnalyzedField: true } },
  { regex: { query: 'sh.+', path: 't', allowAnalyzedField: true, score: { constant: { value: 3 } } } },
  { equals: { path: 'u', value: uuid } },
  { equals: { path: 's', value: null }, returnStoredSource: true },
  { in: { path: 'n', value: [1, 2, 3] } },
  { range: { path: 'n', gte: 1, lt: 5 } },
  { range: { path: 'd', gt: new Date(0), lte: new Date(10 * 86_400_000) } },
  { exists: { path: 'deep.list' } },
  { near: { path: 'n', origin: 3, pivot: 2 } },
  { near: { path: 'g', origin: point, pivot: 1_000 }, tracking: { searchTerms: 'x' } },
  { near: { path: 'd', origin: new Date(0), pivot: 1_000 } },
  { queryString: { defaultPath: 't', query: 's:red AND (ship OR "quick harbour"~2) -n:[1 TO 3] lig*' } },
  { moreLikeThis: { like: [{ t: 'a quick ship' }, { deep: { text: 'water' } }] } },
  {
    embeddedDocument: {
      path: 'parts',
      operator: { text: { query: 'mast', path: 'parts.name' } },
      score: { embedded: { aggregate: 'maximum' } },
    },
  },
  {
    hasRoot: { operator: { exists: { path: 't' } } },
    returnScope: { path: 'parts' },
    returnStoredSource: true,
  },
  {
    hasAncestor: { ancestorPath: 'parts', operator: { exists: { path: 'parts.name' } } },
    returnScope: { path: 'parts.inner' },
    returnStoredSource: true,
  },
  { geoWithin: { path: 'g', circle: { center: point, radius: 100_000 } } },
  { geoWithin: { path: 'g', box: { bottomLeft: point, topRight: { type: 'Point', coordinates: [3, 3] } } } },
  { geoShape: { path: 'g', relation: 'intersects', geometry: square } },
  { knnBeta: { path: 'v', vector: [1, 2], k: 3, filter: { exists: { path: 't' } } } },
  {
    vectorSearch: {
      path: 'v',
      queryVector: [1, 2],
      limit: 3,
      numCandidates: 10,
      filter: { equals: { path: 'b', value: true } },
    },
  },
  {
    span: { near: { clauses: [term, { term: { path: 't', query: 'night' } }], slop: 3, inOrder: true } },
  },
  { span: { subtract: { include: term, exclude: { first: { operator: term, endPositionLte: 2 } } } } },
  { span: { or: { clauses: [term, { contains: { spanToReturn: 'inner', little: term, big: term } }] } } },
  {
    compound: {
      must: [text],
      mustNot: [{ exists: { path: 'nothing' } }],
      should: [{ near: { path: 'n', origin: 1, pivot: 1 } }, { range: { path: 'n', gt: 2 } }],
      filter: [{ in: { path: 's', value: ['red'] } }],
      minimumShouldMatch: 1,
      score: {
        function: {
          add: [
            { score: 'relevance' },
            { multiply: [{ constant: 2 }, { path: { value: 'n', undefined: 1 } }] },
            { log1p: { path: 'n' } },
            { gauss: { path: { value: 'n' }, origin: 1, scale: 2, decay: 0.5, offset: 1 } },
          ],
        },
      },
    },
  },
  {
    facet: {
      operator: { exists: { path: 't' } },
      facets: {
        s: { type: 'string', path: 's', numBuckets: 2 },
        n: { type: 'number', path: 'n', boundaries: [0, 3, 9], default: 'other' },
        d: { type: 'date', path: 'd', boundaries: [new Date(0), new Date(10 * 86_400_000)] },
      },
    },
  },
];
const vectors: readonly Document[] = [
  {
    index: 'near',
    path: 'v',
    queryVector: [1, 2],
    numCandidates: 20,
    limit: 3,
    filter: { $and: [{ n: { $gt: 1 } }, { s: { $in: ['red'] } }] },
  },
  {
    index: 'near',
    path: 'v',
    queryVector: new Binary(Buffer.from([3, 0, 1, 2]), 9),
    exact: true,
    limit: 2,
    filter: { n: { $not: { $eq: 3 } } },
  },
];

/** Values with which the test replaces any other value. */
const odd: readonly unknown[] = [
  null,
  undefined,
  true,
  '',
  ' ',
  'ship',
  '*',
  '\\',
  '"',
  '\ud800',
  'a'.repeat(300),
  '$n',
  't.',
  '.t',
  'a\0b',
  '__proto__',
  'constructor',
  'parts.name',
  'deep.list.0',
  0,
  -1,
  1,
  2.5,
  -0,
  1e308,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  new Int32(2 ** 31 - 1),
  new Double(3),
  Long.MAX_VALUE,
  Long.MIN_VALUE,
  new Date(Number.NaN),
  new Date(8.64e15),
  /a/,
  uuid,
  id,
  new Timestamp(1n),
  [],
  {},
  [[]],
  [{}],
  [null],
  ['t', 't'],
  { value: 't' },
  { value: 't', multi: 'absent' },
  { wildcard: '*' },
  { wildcard: '' },
  [1, 'a', null, { a: 1 }],
  { '': 1 },
  { $gt: 1 },
  point,
  square,
];

type Place = readonly [holder: Record<string, unknown> | unknown[], key: string | number];

function isHolder(value: unknown): value is Record<string, unknown> | unknown[] {
  return Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype;
}

function* placesIn(holder: Record<string, unknown> | unknown[]): Generator<Place> {
  const entries: Iterable<readonly [string | number, unknown]> = Array.isArray(holder)
    ? holder.entries()
    : Object.entries(holder);
  for (const [key, value] of entries) {
    yield [holder, key];
    if (isHolder(value)) yield* placesIn(value);
  }
}

function copyOf<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyOf) as T;
  if (!isHolder(value)) return value;
  return Object.fromEntries(Object.entries(value as object).map(([key, one]) => [key, copyOf(one)])) as T;
}

test('mutated searches are answered, or refused with a message', (t) => {
  const search = new TestSearch(documents, definition);
  t.after(() => search.close());
  const { cluster } = search;
  cluster.run({ insert: 'words', documents: [{ mappingType: 'equivalent', synonyms: ['ship', 'vessel'] }] });
  const fields = [
    { type: 'vector', path: 'v', numDimensions: 2, similarity: 'cosine' },
    ...['n', 's'].map((path) => ({ type: 'filter', path })),
  ];
  cluster.run({
    createSearchIndexes: 'docs',
    indexes: [{ name: 'near', type: 'vectorSearch', definition: { fields } }],
  });
  search.settle();
  const { below } = dice(SEED);
  const pick = <T>(from: readonly T[]) => from[below(from.length)] as T;
  const all = [...bases, ...vectors];
  const mutated = (base: Document): Document => {
    const stage = copyOf(base);
    for (let times = 1 + below(2); times > 0; times--) {
      const places = [...placesIn(stage)];
      if (places.length === 0) break;
      const [holder, key] = pick(places);
      const change = below(10);
      const other = pick([...placesIn(pick(all))]);
      const value =
        change < 6 ? copyOf(pick(odd)) : copyOf((other[0] as Record<string | number, unknown>)[other[1]]);
      if (Array.isArray(holder)) {
        if (change === 9) holder.splice(Number(key), 1);
        else holder[Number(key)] = value;
      } else if (change === 8) delete holder[key];
      else if (change === 9) holder[String(other[1])] = value;
      else holder[key] = value;
    }
    return stage;
  };
  const show = (stage: Document) => JSON.stringify(stage);
  let answered = 0;
  const faults: string[] = [];
  const shown = {
    score: { $meta: 'searchScore' },
    marks: { $meta: 'searchHighlights' },
    details: { $meta: 'searchScoreDetails' },
    token: { $meta: 'searchSequenceToken' },
  };
  const run = (pipeline: Document[]) => cluster.run({ aggregate: 'docs', pipeline, cursor: {} });
  for (const [at, base] of all.entries()) {
    const reply = run([
      { [at < bases.length ? ('facet' in base ? '$searchMeta' : '$search') : '$vectorSearch']: base },
    ]);
    assert.equal(reply['ok'], 1, `${show(base)}: ${reply['errmsg']}`);
  }
  for (let count = 0; count < SEARCHES; count++) {
    const at = below(all.length);
    const stage = mutated(all[at] as Document);
    const name = at >= bases.length ? '$vectorSearch' : below(4) === 0 ? '$searchMeta' : '$search';
    let reply: Document;
    try {
      reply = run([{ [name]: stage }, ...(name === '$search' ? [{ $limit: 5 }, { $project: shown }] : [])]);
    } catch (error) {
      throw new Error(`${name} ${show(stage)}`, { cause: error });
    }
    if (reply['ok'] === 1) answered++;
    else if (reply['code'] === 1) faults.push(`${name} ${show(stage)}`);
  }
  assert.deepEqual(faults, []);
  assert.ok(answered > SEARCHES / 20, `${answered} of ${SEARCHES}`);
});
