import { bsonTypes } from '../bson/bson-types.ts';
import { relaxedJsonOf } from '../bson/extended-json.ts';
import { documentOf, type RawDocument } from '../bson/raw.ts';
import { nullValue, textOf } from '../bson/value.ts';
import type { Analyzer } from './analyzers.ts';
import type { SynonymSource } from './query/searching.ts';

/** The synonyms in the documents of a collection: equivalent words, or replacements of words. */
export function synonymsIn(documents: Iterable<RawDocument>, analyzer: Analyzer): SynonymSource {
  const others = new Map<string, Set<string>>();
  const add = (from: string, to: readonly string[]) => {
    const own = others.get(from) ?? new Set();
    for (const one of to) if (one !== from) own.add(one);
    others.set(from, own);
  };
  for (const doc of documents) {
    const words = termsOf(doc, 'synonyms', analyzer);
    const explicit = doc.string('mappingType') === 'explicit';
    for (const from of explicit ? termsOf(doc, 'input', analyzer) : words) add(from, words);
  }
  return { of: (term) => [...(others.get(term) ?? [])] };
}

/** Why the first invalid synonym document is invalid; undefined if all are valid. */
export function synonymFault(documents: Iterable<RawDocument>): string | undefined {
  for (const doc of documents) {
    const reason = faultIn(doc);
    if (reason !== undefined) return `document ${relaxedJsonOf(doc.get('_id') ?? nullValue)}: ${reason}`;
  }
  return undefined;
}

function faultIn(doc: RawDocument): string | undefined {
  const kind = doc.string('mappingType');
  if (kind !== 'equivalent' && kind !== 'explicit') return '"mappingType" must be "equivalent" or "explicit"';
  for (const field of kind === 'explicit' ? ['input', 'synonyms'] : ['synonyms']) {
    const list = doc.get(field);
    const entries = list?.type === bsonTypes.array ? [...documentOf(list)] : [];
    if (entries.length === 0) return `"${field}" must be a list of words that is not empty`;
    if (entries.some(({ type }) => type !== bsonTypes.string))
      return `"${field}" must hold nothing but words`;
  }
  return undefined;
}

function termsOf(doc: RawDocument, field: string, analyzer: Analyzer): string[] {
  const list = doc.get(field);
  if (list?.type !== bsonTypes.array) return [];
  return [...documentOf(list)].flatMap((entry) => {
    if (entry.type !== bsonTypes.string) return [];
    const tokens = analyzer(textOf(entry));
    // A term of the index is a single word.
    return tokens.length === 1 ? tokens.map(({ term }) => term) : [];
  });
}
