import { bsonTypes } from '../../bson/bson-types.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import { double, textOf, type Value } from '../../bson/value.ts';
import type { Analyzer } from '../analyzers.ts';
import type { Looked, Operator } from './operator.ts';
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
  readonly analyzer: Analyzer;
  readonly looked: readonly Looked[];
}

/** Passages of a document in which something that was looked for stands. */
export type Highlighter = (doc: RawDocument) => Value;

export function highlighter(options: HighlightOptions, operator: Operator, search: Searching): Highlighter {
  const looked = operator.looksFor ?? [];
  const fields = textFields(options.paths, search).map(
    ({ path, key, mapping }): Highlighted => ({
      path,
      analyzer: search.analyzer(mapping?.analyzer),
      looked: looked.filter(({ field }) => field === key),
    }),
  );
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
  if (field.looked.length === 0) return [];
  const passages: Passage[] = [];
  let left = maxChars;
  for (const text of textsAt(doc.toValue(), field.path.split('.'))) {
    if (left <= 0) break;
    passages.push(...passagesIn(text.slice(0, left), field));
    left -= text.length;
  }
  return passages.sort((a, b) => b.score - a.score).slice(0, maxPassages);
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** One passage for each sentence with a hit. */
function* passagesIn(text: string, { path, analyzer, looked }: Highlighted): Generator<Passage> {
  const hits = analyzer(text).filter(({ term }) => looked.some((one) => one.matches(term)));
  if (hits.length === 0) return;
  for (const { segment, index } of sentences.segment(text)) {
    const end = index + segment.length;
    const own = hits.filter((hit) => hit.start >= index && hit.start < end);
    if (own.length === 0) continue;
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

/** More hits in a shorter passage nearer to the beginning: that of Lucene's unified highlighter, of one term. */
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
