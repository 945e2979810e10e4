import type { Document } from 'bson';
import { aggregate, fields, type Make, numbers, texts } from './testing-hostile-parts.ts';

/** This file contains expensive searches, and definitions of search indexes that are slow to read. */

const words = (size: number) =>
  numbers(size / 10).map((i) => ({ _id: i, t: `common w${i} x${i % 97}`, k: `k${i}`, n: i }));

const definition = {
  mappings: {
    dynamic: true,
    fields: { k: [{ type: 'token' }, { type: 'string', analyzer: 'lib.keyword' }] },
  },
};

const searching =
  (search: (size: number) => Document): Make =>
  (size) => ({
    documents: words(size),
    searchIndex: { definition },
    command: aggregate({ $search: search(size) }, { $project: { _id: 1 } }),
  });

/** A search in one document. */
const searchingIn =
  (document: (size: number) => Document, search: Document, ...stages: Document[]): Make =>
  (size) => ({
    documents: [document(size)],
    searchIndex: { definition },
    command: aggregate({ $search: search }, ...(stages.length > 0 ? stages : [shown])),
  });

const shown = { $project: { _id: 1, marks: { $meta: 'searchHighlights' } } };

/** The word is also in a short field, so that a search finds documents whose long field does not contain it. */
const highlighted = {
  text: { path: ['t', 'short'], query: 'oak' },
  highlight: { path: 't', maxCharsToExamine: 10_000_000, maxNumPassages: 1_000_000 },
};
const highlighting = (text: string) =>
  searchingIn(
    (size) => ({ _id: 0, short: 'oak', t: text.repeat(Math.ceil((size * 10) / text.length)) }),
    highlighted,
  );
const sorting = (values: (size: number) => readonly unknown[]) =>
  searchingIn(
    (size) => ({ _id: 0, n: values(size), k: values(size) }),
    { exists: { path: 'n' }, sort: { k: 1, n: -1 } },
    { $project: { _id: 1 } },
  );

const vectors =
  (options: (size: number) => Document): Make =>
  (size) => {
    const vector = (i: number) => numbers(16).map((at) => Math.sin(i * at + 1));
    const filters = ['n', 'k'].map((path) => ({ type: 'filter', path }));
    const stage = { index: 'default', path: 'v', queryVector: vector(3), limit: 10, exact: true };
    return {
      documents: words(size).map((document) => ({ ...document, v: vector(document.n) })),
      searchIndex: {
        type: 'vectorSearch',
        definition: {
          fields: [{ type: 'vector', path: 'v', numDimensions: 16, similarity: 'cosine' }, ...filters],
        },
      },
      command: aggregate({ $vectorSearch: { ...stage, ...options(size) } }, { $project: { _id: 1 } }),
    };
  };

const defining =
  (make: (size: number) => Document): Make =>
  (size) => ({
    documents: [{ t: 'a' }],
    command: { createSearchIndexes: 'c', indexes: [{ name: 'new', definition: make(size) }] },
  });

const clauses = (clause: Document) => () => numbers(1_000).map(() => clause);
const should = clauses({ equals: { path: 'n', value: 5 } });
const must = clauses({ range: { path: 'n', gte: 0 } });

export const hostileSearches: Readonly<Record<string, Make>> = {
  'search: many optional clauses': searching(() => ({ compound: { should: should() } })),
  'search: many required clauses': searching(() => ({ compound: { must: must() } })),
  'search: many excluded clauses': searching(() => ({ compound: { mustNot: should() } })),
  'search: many values': searching((size) => ({ in: { path: 'n', value: numbers(size) } })),
  'search: many paths': searching((size) => ({
    text: { path: numbers(size).map((i) => `p${i}`), query: 'a' },
  })),
  'search: wildcard': searching(() => ({
    wildcard: { path: 'k', query: '*9*', allowAnalyzedField: true },
  })),
  'search: similar terms': searching(() => ({
    text: { path: 't', query: 'w12345', fuzzy: { maxExpansions: 1_000 } },
  })),
  'search: sort by texts': searching(() => ({ exists: { path: 'n' }, sort: { k: 1 } })),
  'search: sort by many fields': searching((size) => ({
    exists: { path: 'n' },
    sort: Object.fromEntries(numbers(size / 10).map((i) => [`p${i}`, 1])),
  })),
  'search: sort by many values': sorting((size) => numbers(size)),
  'search: sort by many dates': sorting((size) => numbers(size).map((i) => new Date(i))),
  'search: sort by many texts': sorting((size) => texts(size)),
  'search: highlights in one long sentence': highlighting('oak a '),
  'search: highlights in many sentences': highlighting('Oak. A b. '),
  'search: highlights in a long text without hits': highlighting('a b '),
  'search: highlights in a long word': highlighting('ab'),
  'search: highlights in many texts': searchingIn(
    (size) => ({ _id: 0, t: [...numbers(size).map(() => 'oak'), 'oak'] }),
    highlighted,
  ),
  'search: highlights of many paths': searching((size) => ({
    text: { path: 't', query: 'common' },
    highlight: { path: numbers(size / 10).map((i) => `p${i}`) },
  })),
  'search: score by a long sum': searching(() => ({
    exists: { path: 'n', score: { function: { add: numbers(500).map(() => ({ path: 'n' })) } } },
  })),
  'search: unknown place to continue': searching(() => ({ exists: { path: 'n' }, searchAfter: 'AAAA' })),
  'search: nearest vectors': vectors((size) => ({ limit: size })),
  'search: vectors with a long filter': vectors(() => ({
    filter: { $or: numbers(5_000).map((n) => ({ n })) },
  })),
  'search: definition of many fields': defining((size) => ({
    mappings: { fields: fields(size / 25, () => ({ type: 'string' })) },
  })),
  'search: definition of a long mapping': defining((size) => ({
    mappings: { dynamic: true },
    analyzers: [
      {
        name: 'mine',
        charFilters: [{ type: 'mapping', mappings: fields(size / 25, (i) => `x${i}`) }],
        tokenizer: { type: 'standard' },
      },
    ],
  })),
  'search: many definitions': (size) => ({
    documents: [{ t: 'a' }],
    command: {
      createSearchIndexes: 'c',
      indexes: numbers(size / 100).map((i) => ({ name: `n${i}`, definition })),
    },
  }),
};
