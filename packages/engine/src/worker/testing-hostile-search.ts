import type { Document } from 'bson';
import { aggregate, fields, type Make, numbers } from './testing-hostile-parts.ts';

/** This file contains expensive searches, and definitions of search indexes that take long to read. */

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
