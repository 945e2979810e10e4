import { bsonTypes } from '../../bson/bson-types.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import { double, textOf, type Value } from '../../bson/value.ts';
import type { Token } from '../analyzers.ts';
import type { Operator, SearchedTerms } from './operator.ts';
import type { HighlightOptions } from './options.ts';
import { textFields } from './paths.ts';
import type { Searching } from './searching.ts';

interface Passage {
  readonly score: number;
  readonly path: string;
  readonly texts: ReadonlyArray<{ readonly value: string; readonly type: 'hit' | 'text' }>;
}

interface Highlighted {
  readonly path: string;
  readonly tokens: (text: string) => readonly Token[];
  /** True if the search contains the term. */
  readonly isHit: (term: string) => boolean;
  readonly check: () => void;
}

/** Returns the passages of a document that contain search terms. */
export type Highlighter = (doc: RawDocument) => Value;

export function highlighter(options: HighlightOptions, operator: Operator, search: Searching): Highlighter {
  // A term of any searched field is a hit in each highlighted field, as in Lucene without required field matches.
  const looked = operator.searchedTerms ?? [];
  if (looked.length === 0)
    return () => new RawDocument(encodeDocument({ passages: [] })).get('passages') as Value;
  const fields = textFields(options.paths, search).map(({ path, mapping }): Highlighted => {
    const { check } = search;
    const analyzer = search.analyzer(mapping?.analyzer);
    return {
      path,
      tokens: (text) => search.allTokens(analyzer, text),
      isHit: matcherOf(looked, check),
      check,
    };
  });
  return (doc) => {
    const passages = fields
      .flatMap((field) => passagesOf(doc, field, options))
      .map(({ score, path, texts }) => ({ score: double(score), path, texts }));
    return new RawDocument(encodeDocument({ passages })).get('passages') as Value;
  };
}

function passagesOf(
  doc: RawDocument,
  field: Highlighted,
  { maxChars, maxPassages }: HighlightOptions,
): Passage[] {
  const passages: Passage[] = [];
  let left = maxChars;
  for (const text of textsAt(doc.toValue(), field.path.split('.'))) {
    if (left <= 0) break;
    passages.push(...passagesIn(text.slice(0, left), field));
    left -= text.length;
  }
  return passages.sort((a, b) => b.score - a.score).slice(0, maxPassages);
}

/** Caches the results, because terms repeat and patterns are slow. */
function matcherOf(looked: readonly SearchedTerms[], check: () => void): (term: string) => boolean {
  const known = new Map<string, boolean>();
  return (term) => {
    let is = known.get(term);
    if (is === undefined) {
      check();
      is = looked.some((one) => one.matches(term));
      if (known.size < MAX_KNOWN) known.set(term, is);
    }
    return is;
  };
}

const MAX_KNOWN = 10_000;

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Yields one passage per sentence that contains a hit. */
function* passagesIn(text: string, { path, tokens, isHit, check }: Highlighted): Generator<Passage> {
  const hits = tokens(text)
    .filter(({ term }) => isHit(term))
    .sort((a, b) => a.start - b.start);
  if (hits.length === 0) return;
  let next = 0;
  for (const { segment, index } of sentences.segment(text)) {
    check();
    const end = index + segment.length;
    const first = next;
    while (next < hits.length && (hits[next] as Token).start < end) next++;
    if (next === first) continue;
    const own = hits.slice(first, next);
    const texts: Array<{ value: string; type: 'hit' | 'text' }> = [];
    let at = index;
    for (const hit of own) {
      if (hit.start < at) continue;
      if (hit.start > at) texts.push({ value: text.slice(at, hit.start), type: 'text' });
      texts.push({ value: text.slice(hit.start, hit.end), type: 'hit' });
      at = hit.end;
    }
    if (at < end) texts.push({ value: text.slice(at, end), type: 'text' });
    yield { score: scoreOf(own.length, segment.length, index), path, texts };
  }
}

/**
 * Returns the score of a passage by the formula of Lucene's unified highlighter for a single term. It rises with the
 * number of hits, and falls with the length and the distance from the start of the text.
 */
function scoreOf(hits: number, length: number, start: number): number {
  const pivot = 87;
  return (1 + 1 / Math.log(pivot + start)) * (2.2 * (hits / (hits + 1.2 * (0.25 + (0.75 * length) / pivot))));
}

function* textsAt(value: Value, names: readonly string[]): Generator<string> {
  if (value.type === bsonTypes.array) {
    for (const entry of documentOf(value)) yield* textsAt(entry, names);
    return;
  }
  const [name, ...rest] = names;
  if (name === undefined) {
    if (value.type === bsonTypes.string) yield textOf(value);
    return;
  }
  if (value.type !== bsonTypes.object) return;
  const next = documentOf(value).get(name);
  if (next !== undefined) yield* textsAt(next, rest);
}
