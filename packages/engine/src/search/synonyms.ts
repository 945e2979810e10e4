import { bsonTypes } from '../bson/bson-types.ts';
import { relaxedJsonOf } from '../bson/extended-json.ts';
import { documentOf, type RawDocument } from '../bson/raw.ts';
import { nullValue, textOf } from '../bson/value.ts';
import type { Analyzer } from './analyzers.ts';
import type { SynonymSource } from './query/searching.ts';

/**
 * Reads synonyms from the documents of a collection: equivalent words, or replacements for words. Calls `check` between
 * documents.
 */
export function synonymsIn(
  documents: Iterable<RawDocument>,
  analyzer: Analyzer,
  check: () => void,
): SynonymSource {
  // Words share the list of their document: a list per word would take quadratic memory.
  const lists = new Map<string, Array<readonly string[]>>();
  for (const doc of documents) {
    const words = termsOf(doc, 'synonyms', analyzer, check);
    const explicit = doc.string('mappingType') === 'explicit';
    for (const from of explicit ? termsOf(doc, 'input', analyzer, check) : words) {
      const own = lists.get(from);
      if (own === undefined) lists.set(from, [words]);
      else own.push(words);
    }
  }
  return {
    of(term) {
      const others = new Set<string>();
      for (const list of lists.get(term) ?? []) {
        check();
        for (const word of list) if (word !== term) others.add(word);
      }
      return [...others];
    },
  };
}

/** Returns why the first invalid synonym document is invalid, or undefined if all are valid. */
export function synonymFault(documents: Iterable<RawDocument>): string | undefined {
  for (const doc of documents) {
    const reason = faultInSynonyms(doc);
    if (reason !== undefined) return `document ${relaxedJsonOf(doc.get('_id') ?? nullValue)}: ${reason}`;
  }
  return undefined;
}

/** Returns why a synonym document is invalid, or undefined if it is valid. */
export function faultInSynonyms(doc: RawDocument): string | undefined {
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

function termsOf(doc: RawDocument, field: string, analyzer: Analyzer, check: () => void): string[] {
  const list = doc.get(field);
  if (list?.type !== bsonTypes.array) return [];
  return [...documentOf(list)].flatMap((entry) => {
    check();
    if (entry.type !== bsonTypes.string) return [];
    return onlyTerm(analyzer(textOf(entry))) ?? [];
  });
}

/** Returns the term of a text if the text is a single word: synonyms replace single terms. */
function onlyTerm(batches: ReturnType<Analyzer>): string | undefined {
  let term: string | undefined;
  for (const tokens of batches) {
    for (const token of tokens) {
      if (term !== undefined) return undefined;
      term = token.term;
    }
  }
  return term;
}
