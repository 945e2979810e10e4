import { bsonTypes } from '../../bson/bson-types.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import { step, steps } from '../../bson/turns.ts';
import { double, textOf, type Value } from '../../bson/value.ts';
import { completedWords } from '../analysis/index.ts';
import type { Token } from '../analyzers.ts';
import { B, K1 } from './bm25.ts';
import { searchError } from './errors.ts';
import type { Operator, SearchedTerms } from './operator.ts';
import type { HighlightOptions } from './options.ts';
import { type SearchPath, type TextField, textFields } from './paths.ts';
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
  // A term of any searched field is a hit in each highlighted field, as in Lucene if `requireFieldMatch` is false.
  const looked = operator.searchedTerms ?? [];
  if (looked.length === 0)
    return () => new RawDocument(encodeDocument({ passages: [] })).get('passages') as Value;
  const isHit = matcherOf(looked, search.check);
  const fields = options.paths
    .flatMap((path) => highlightable(path, search))
    .map((field): Highlighted => {
      const tokens = wordsOf(field, search);
      return { path: field.path, tokens, isHit, check: search.check };
    });
  return (doc) => {
    const passages: unknown[] = [];
    for (const field of fields) {
      for (const { score, path, texts } of passagesOf(doc, field, options)) {
        step();
        passages.push({ score: double(score), path, texts });
      }
    }
    return new RawDocument(encodeDocument({ passages })).get('passages') as Value;
  };
}

/**
 * Returns the text fields at a path. Throws if the index lacks the offsets or the text of a field. If the path has a
 * wildcard, omits such fields.
 */
function highlightable(path: SearchPath, search: Searching): TextField[] {
  const fields = textFields([path], search);
  if ('wildcard' in path) return fields.filter(({ mapping }) => mapping?.highlights !== false);
  const unfit = fields.find(({ mapping }) => mapping?.highlights === false);
  if (unfit === undefined) return fields;
  throw searchError(
    `"highlight.path" requires path "${unfit.path}" to be indexed with "indexOptions" offsets and "store" true`,
  );
}

/**
 * Maximum number of words in the highlight of a hit in an autocomplete field. A gram extends over at most three words.
 */
const COMPLETED = 3;

/**
 * Returns a function that splits a text of a field into words. In a field that is indexed only for autocomplete, a
 * hit also includes the following words.
 */
function wordsOf({ path, mapping }: TextField, search: Searching): Highlighted['tokens'] {
  const completed = mapping === undefined ? search.mapping(path, 'autocomplete') : undefined;
  if (completed?.grams === undefined) {
    const analyzer = search.analyzer(mapping?.analyzer);
    return (text) => search.allTokens(analyzer, text);
  }
  const words = completedWords(search.analyzer(completed.analyzer), completed.grams);
  return (text) => {
    const tokens = search.allTokens(words, text);
    return tokens.map((token, at) => ({
      ...token,
      end: (tokens[Math.min(at + COMPLETED, tokens.length) - 1] as Token).end,
    }));
  };
}

function passagesOf(
  doc: RawDocument,
  field: Highlighted,
  { maxChars, maxPassages }: HighlightOptions,
): Passage[] {
  const texts: string[] = [];
  let left = maxChars;
  for (const text of textsAt(doc.toValue(), field.path.split('.'))) {
    if (left <= 0) break;
    texts.push(text);
    left -= text.length;
  }
  const found = hitsIn(texts, maxChars, field);
  const best = new BestPassages(maxPassages);
  for (const text of found.texts) for (const passage of passagesIn(text, found, field)) best.add(passage);
  return best.finish();
}

/** Number of passages beyond the maximum after which the worst are dropped. */
const SPARE = 1_024;

/** Keeps the passages with the highest scores, in text order. The memory might not suffice for all passages. */
class BestPassages {
  readonly #most: number;
  #kept: Passage[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  add(passage: Passage): void {
    this.#kept.push(passage);
    if (this.#kept.length >= 2 * this.#most + SPARE) this.#drop();
  }

  #drop(): void {
    const sorted = this.#kept.toSorted((a, b) => {
      step();
      return b.score - a.score;
    });
    const best = new Set(sorted.slice(0, this.#most));
    this.#kept = this.#kept.filter((passage) => {
      step();
      return best.has(passage);
    });
  }

  finish(): Passage[] {
    this.#drop();
    return this.#kept;
  }
}

/** The search terms in the texts at a path. */
interface FoundTerms {
  readonly texts: readonly FoundText[];
  /** The number of occurrences of each term. */
  readonly counts: ReadonlyMap<string, number>;
  /** The length of all texts. */
  readonly length: number;
}

interface FoundText {
  readonly text: string;
  /** The offset of the text in all texts. */
  readonly offset: number;
  readonly hits: readonly Token[];
}

/** Maximum number of characters of a text in which occurrences are counted. */
const MAX_COUNTED = 500_000;

/**
 * Finds search terms in the first `maxChars` characters of all texts together, except a term that extends beyond them.
 * After these characters, only counts the terms, up to `MAX_COUNTED` characters of each text.
 */
function hitsIn(all: readonly string[], maxChars: number, { tokens, isHit }: Highlighted): FoundTerms {
  const counts = new Map<string, number>();
  let length = 0;
  const texts = all.map((whole): FoundText => {
    const text = whole.slice(0, maxChars - length);
    const hits = tokens(whole.slice(0, Math.max(text.length, MAX_COUNTED)))
      .filter(({ term }) => {
        step();
        return isHit(term);
      })
      .sort(byStart);
    for (const { term } of hits) {
      step();
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    const offset = length;
    length += text.length;
    return { text, offset, hits: hits.filter(({ end }) => end <= text.length) };
  });
  return { texts, counts, length };
}

function byStart(a: Token, b: Token): number {
  step();
  return a.start - b.start;
}

/** Returns a function that tells whether a search contains a term. It caches results, because patterns are slow. */
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

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * The longest sentence in characters; a longer one counts as several. A sentence is found in one native call, which
 * takes about 2 ms for so many characters.
 */
const LONGEST_SENTENCE = 65_536;
/** Number of characters that take as long as one step. */
const LETTERS_PER_STEP = 8;

/** Number of steps that take as long as finding the first sentence of a text. */
const CALL_STEPS = 16;

function* sentencesOf(text: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let from = 0; from < text.length; ) {
    // A call takes a few µs, even for a short text.
    steps(CALL_STEPS);
    const piece = text.slice(from, from + LONGEST_SENTENCE);
    const isLast = from + piece.length === text.length;
    let next = from;
    for (const { segment, index } of segmenter.segment(piece)) {
      steps(segment.length / LETTERS_PER_STEP);
      // The last sentence of a piece may continue in the next piece, so read it again with the next piece.
      const isCut = !isLast && index > 0 && index + segment.length === piece.length;
      if (isCut) break;
      next = from + index + segment.length;
      yield { start: from + index, end: next };
    }
    from = next;
  }
}

/** Yields one passage per sentence that contains a hit. */
function* passagesIn(
  { text, offset, hits }: FoundText,
  found: FoundTerms,
  { path, check }: Highlighted,
): Generator<Passage> {
  if (hits.length === 0) return;
  let next = 0;
  for (const { start, end } of sentencesOf(text)) {
    check();
    const first = next;
    while (next < hits.length && (hits[next] as Token).start < end) next++;
    if (next === first) continue;
    const own = hits.slice(first, next);
    const texts: Array<{ value: string; type: 'hit' | 'text' }> = [];
    let at = start;
    for (const hit of own) {
      step();
      if (hit.start < at) continue;
      if (hit.start > at) texts.push({ value: text.slice(at, hit.start), type: 'text' });
      texts.push({ value: text.slice(hit.start, hit.end), type: 'hit' });
      at = Math.min(hit.end, text.length);
    }
    if (at < end) texts.push({ value: text.slice(at, end), type: 'text' });
    yield { score: scoreOf(own, end - start, offset + start, found), path, texts };
  }
}

/** The length of a usual passage, as in Lucene's unified highlighter. */
const PIVOT = 87;

const { fround } = Math;

/**
 * Returns the score of a passage by the formula of Lucene's unified highlighter. The score rises with the number of
 * hits. It falls with the length of the passage, and with its distance from the start of the text. It is lower for
 * terms that occur often in the text.
 */
function scoreOf(hits: readonly Token[], length: number, start: number, found: FoundTerms): number {
  const freqs = new Map<string, number>();
  for (const { term } of hits) {
    step();
    freqs.set(term, (freqs.get(term) ?? 0) + 1);
  }
  let score = 0;
  const contents = fround(1 + fround(found.length / PIVOT));
  const relative = fround(fround(K1) * fround(fround(1 - B) + fround(B * fround(length / PIVOT))));
  for (const [term, freq] of freqs) {
    step();
    const all = found.counts.get(term) ?? freq;
    const weight = fround(fround(fround(K1) + 1) * fround(Math.log(1 + (contents + 0.5) / (all + 0.5))));
    score = fround(score + fround(weight * fround(freq / fround(freq + relative))));
  }
  return fround(score * fround(1 + fround(1 / fround(Math.log(PIVOT + start)))));
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
