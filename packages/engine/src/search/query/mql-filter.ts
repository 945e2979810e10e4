import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { passes } from '../../bson/turns.ts';
import { boolOf, type Value } from '../../bson/value.ts';
import type { Segment } from '../file/segment.ts';
import { keys } from '../mapping/field.ts';
import { searchError } from './errors.ts';
import { Hits } from './hits.ts';
import { markRange } from './operators/range.ts';
import { markEqual, type SearchValue, searchValue, searchValues } from './operators/values.ts';
import type { Searching } from './searching.ts';

/** Returns the documents of a segment that match a condition. All of them are at one level of embedding. */
export type Allowed = (segment: Segment) => Uint8Array;

/** Compiles the filter of a vector search. The index supports only a part of the query language. */
export function compileMql(
  filter: RawDocument,
  search: Searching,
  within: string | undefined,
  name: string,
): Allowed {
  const all = [...filter].map((element) => condition(element.name, element, { search, within, name }));
  return (segment) => intersect(all, search.domain(segment, within), segment);
}

interface Context {
  readonly search: Searching;
  readonly within: string | undefined;
  readonly name: string;
}

function condition(key: string, value: Value, context: Context): Allowed {
  if (key.startsWith('$')) return combined(key, value, context);
  return fieldCondition(key, value, context);
}

function combined(key: string, value: Value, context: Context): Allowed {
  const { search, within, name } = context;
  if (key !== '$and' && key !== '$or' && key !== '$nor')
    throw searchError(`"${name}" does not support ${key}`);
  if (value.type !== bsonTypes.array) throw searchError(`"${name}.${key}" must be an array`);
  const all = documentOf(value).map((entry) => {
    if (entry.type !== bsonTypes.object) throw searchError(`"${name}.${key}" must have documents`);
    return compileMql(documentOf(entry), search, within, name);
  });
  if (all.length === 0) throw searchError(`"${name}.${key}" cannot be empty`);
  if (key === '$and') return (segment) => intersect(all, search.domain(segment, within), segment);
  return (segment) => {
    const found = new Uint8Array(segment.size);
    for (const one of all) {
      const own = one(segment);
      passes(own.length);
      for (let doc = 0; doc < own.length; doc++) found[doc] = (found[doc] as number) | (own[doc] as number);
    }
    return key === '$or' ? found : complement(found, search.domain(segment, within));
  };
}

function fieldCondition(path: string, value: Value, context: Context): Allowed {
  const { search, within, name } = context;
  search.clause();
  const { mappings, embedded } = search.fieldAnywhere(path);
  if (search.plan !== undefined && !mappings.some(({ type }) => type === 'filter')) {
    throw searchError(`Path '${path}' needs to be indexed as filter`);
  }
  const tests =
    value.type === bsonTypes.object && isOperators(documentOf(value))
      ? documentOf(value).map((element) => operatorOn(path, element.name, element, name))
      : [operatorOn(path, '$eq', value, name)];
  return (segment) => {
    const domain = search.domain(segment, within);
    return tests.reduce<Uint8Array>((left, { mark, not }) => {
      const hits = new Hits(segment.size);
      mark(segment, hits);
      const found = embedded === within ? hits.found : toEmbedded(hits.found, segment);
      return and(left, not ? complement(found, domain) : found);
    }, domain);
  };
}

/** Converts matches of enclosing documents to matches of the documents embedded in them. */
function toEmbedded(found: Uint8Array, segment: Segment): Uint8Array {
  const parents = segment.parents();
  if (parents === undefined) return found;
  passes(found.length);
  const down = found.slice();
  for (let doc = 0; doc < down.length; doc++) {
    const parent = parents[doc] as number;
    if (parent >= 0 && down[parent] === 1) down[doc] = 1;
  }
  return down;
}

function isOperators(doc: RawDocument): boolean {
  return doc.first()?.name.startsWith('$') === true;
}

interface Test {
  mark(segment: Segment, hits: Hits): void;
  readonly not: boolean;
}

function operatorOn(path: string, operator: string, value: Value, name: string): Test {
  const at = `${name}.${path}`;
  switch (operator) {
    case '$eq':
    case '$ne': {
      const wanted = searchValue(value, at);
      return {
        mark: (segment, hits) => markEqual(segment, path, wanted, hits, true),
        not: operator === '$ne',
      };
    }
    case '$in':
    case '$nin': {
      if (value.type !== bsonTypes.array) throw searchError(`"${at}.${operator}" must be an array`);
      const wanted = searchValues(value, `${at}.${operator}`);
      return {
        mark: (segment, hits) => {
          for (const one of wanted) markEqual(segment, path, one, hits, true);
        },
        not: operator === '$nin',
      };
    }
    case '$exists': {
      if (value.type !== bsonTypes.bool) throw searchError(`"${at}.$exists" must be a boolean`);
      return {
        mark: (segment, hits) => {
          for (const doc of segment.postings(keys.exists, path)?.docs ?? []) hits.set(doc, 1);
        },
        not: !boolOf(value),
      };
    }
    case '$not': {
      if (value.type !== bsonTypes.object) throw searchError(`"${at}.$not" must be a document`);
      const inner = documentOf(value).map((element) => operatorOn(path, element.name, element, name));
      const [only] = inner;
      if (only === undefined || inner.length > 1) throw searchError(`"${at}.$not" must have one operator`);
      return { mark: only.mark, not: !only.not };
    }
    default:
      return comparison(path, operator, value, at);
  }
}

const comparisons: Readonly<Record<string, readonly [side: 'low' | 'high', inclusive: boolean]>> = {
  $gt: ['low', false],
  $gte: ['low', true],
  $lt: ['high', false],
  $lte: ['high', true],
};

const comparable: ReadonlySet<SearchValue['kind']> = new Set(['number', 'date', 'string', 'objectId']);

function comparison(path: string, operator: string, given: Value, at: string): Test {
  const found = comparisons[operator];
  if (found === undefined) throw searchError(`"${at}" does not support ${operator}`);
  const value = searchValue(given, `${at}.${operator}`);
  if (!comparable.has(value.kind))
    throw searchError(`"${at}.${operator}" must be a number, date, string, or objectId`);
  const [side, inclusive] = found;
  return {
    mark: (segment, hits) => markRange(segment, path, { [side]: { value, inclusive } }, hits),
    not: false,
  };
}

function intersect(all: readonly Allowed[], domain: Uint8Array, segment: Segment): Uint8Array {
  return all.reduce<Uint8Array>((left, one) => and(left, one(segment)), domain);
}

function and(a: Uint8Array, b: Uint8Array): Uint8Array {
  passes(a.length);
  return a.map((is, doc) => is & (b[doc] as number));
}

function complement(found: Uint8Array, domain: Uint8Array): Uint8Array {
  passes(found.length);
  return domain.map((is, doc) => is & (1 - (found[doc] as number)));
}
