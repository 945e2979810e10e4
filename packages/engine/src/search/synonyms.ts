import { bsonTypes } from '../bson/bson-types.ts';
import { relaxedJsonOf } from '../bson/extended-json.ts';
import { documentOf, type RawDocument } from '../bson/raw.ts';
import { nullValue, textOf } from '../bson/value.ts';
import type { Analyzer } from './analyzers.ts';
import { searchError } from './query/errors.ts';
import type { Replacements, SynonymSource } from './query/searching.ts';
import { MAX_CLAUSES, tooManyClauses } from './query/terms.ts';

/** Maximum size in memory of the synonyms of a mapping. Each search reads them from their collection. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Estimated memory, in bytes: of a word in addition to its characters, and of the entries of a phrase in the maps. */
const WORD_BYTES = 64;
const PHRASE_BYTES = 256;

const sizeOf = (phrase: Phrase) =>
  phrase.reduce((sum, word) => sum + 4 * word.length + WORD_BYTES, PHRASE_BYTES);

/**
 * Reads synonyms from the documents of a collection: equivalent words or phrases, or replacements for them. Calls `check`
 * between documents.
 */
export function synonymsIn(
  documents: Iterable<RawDocument>,
  { analyzer, analyze }: { readonly analyzer: string; readonly analyze: Analyzer },
  check: () => void,
): SynonymSource {
  // Phrases share the list of their document: a list per phrase would take quadratic memory.
  const lists = new Map<string, Array<readonly Phrase[]>>();
  // The number of words of the longest phrase that begins with a word.
  const longest = new Map<string, number>();
  let bytes = 0;
  const count = (phrase: Phrase) => {
    check();
    bytes += sizeOf(phrase);
    if (bytes > MAX_BYTES)
      throw searchError(`a synonym mapping takes more than ${MAX_BYTES} bytes of memory`);
  };
  for (const doc of documents) {
    const phrases = phrasesOf(doc, 'synonyms', analyze, count);
    if (phrases.length === 0) continue;
    const explicit = doc.string('mappingType') === 'explicit';
    for (const from of explicit ? phrasesOf(doc, 'input', analyze, count) : phrases) {
      check();
      const own = lists.get(nameOf(from));
      if (own === undefined) lists.set(nameOf(from), [phrases]);
      else own.push(phrases);
      const first = from[0] as string;
      longest.set(first, Math.max(longest.get(first) ?? 0, from.length));
    }
  }
  return {
    analyzer,
    bytes,
    at(words, from) {
      const most = Math.min(longest.get(words[from] ?? '') ?? 0, words.length - from);
      for (let length = most; length > 0; length--) {
        check();
        const name = nameOf(words.slice(from, from + length));
        const found = lists.get(name);
        if (found === undefined) continue;
        return { length, ...replacementsOf(name, found, check) };
      }
      return undefined;
    },
  };
}

type Phrase = readonly string[];

/** Returns each phrase of several lists once, and whether one of them is the phrase `name` itself. */
function replacementsOf(
  name: string,
  lists: ReadonlyArray<readonly Phrase[]>,
  check: () => void,
): Pick<Replacements, 'itself' | 'others'> {
  const others = new Map<string, Phrase>();
  let itself = false;
  for (const list of lists) {
    check();
    for (const phrase of list) {
      check();
      const own = nameOf(phrase);
      if (own === name) itself = true;
      else others.set(own, phrase);
      if (others.size > MAX_CLAUSES) throw tooManyClauses();
    }
  }
  return { itself, others: [...others.values()] };
}

function nameOf(phrase: Phrase): string {
  return phrase.join('\0');
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
    if (entries.some((entry) => textOf(entry).trim() === '')) return `"${field}" must not hold empty words`;
  }
  return undefined;
}

function phrasesOf(
  doc: RawDocument,
  field: string,
  analyze: Analyzer,
  count: (phrase: Phrase) => void,
): Phrase[] {
  const list = doc.get(field);
  if (list?.type !== bsonTypes.array) return [];
  return [...documentOf(list)].flatMap((entry) => {
    const words = entry.type === bsonTypes.string ? wordsOf(analyze(textOf(entry))) : [];
    count(words);
    return words.length === 0 ? [] : [words];
  });
}

/** Maximum number of words of a phrase. */
const MAX_WORDS = 64;

function wordsOf(batches: ReturnType<Analyzer>): string[] {
  const words: string[] = [];
  for (const tokens of batches) {
    for (const { term } of tokens) words.push(term);
    if (words.length > MAX_WORDS) return [];
  }
  return words;
}
