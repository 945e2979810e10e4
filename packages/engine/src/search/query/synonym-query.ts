import { passes } from '../../bson/turns.ts';
import { builtInName } from '../../interface/search/index.ts';
import type { Token } from '../analyzers.ts';
import { searchError } from './errors.ts';
import { Hits } from './hits.ts';
import type { Operator } from './operator.ts';
import { requirePositions, type TextField } from './paths.ts';
import type { Searching, SynonymSource } from './searching.ts';
import { sloppy, spanOperator, termSpans } from './spans.ts';
import type { Spec } from './spec.ts';
import { anyOf, explainOf, MAX_CLAUSES, TermOperator, tooManyClauses } from './terms.ts';

/** Reads the option `synonyms` of an operator. */
export function readSynonyms(spec: Spec, search: Searching): SynonymSource | undefined {
  const name = spec.string('synonyms');
  if (name === '') throw searchError(`"${spec.name('synonyms')}" cannot be empty`);
  if (name === undefined || search.plan === undefined) return undefined;
  const found = search.synonyms(name);
  if (found === undefined) throw searchError(`Synonym mapping "${name}" is not defined`);
  return { ...found, name };
}

/** Throws unless the field has the analyzer of the synonym mapping, and stores positions. */
export function requireSynonyms({ analyzer, name }: SynonymSource, field: TextField): void {
  const { path, mapping } = field;
  if (mapping === undefined) return;
  const own = mapping.searchAnalyzer ?? '';
  if ((builtInName(own) ?? own) !== (builtInName(analyzer) ?? analyzer)) {
    throw searchError(
      `synonym mapping "${name}" is only allowed with ${analyzer} analyzer, field ${path} is analyzed with ${own} analyzer`,
    );
  }
  requirePositions(field);
}

/** A part of a query: a word or phrase that has synonyms, or a single word that has none. */
interface Part {
  /** The synonyms of the original phrase, and the phrase itself unless they replace it. */
  readonly phrases: ReadonlyArray<readonly string[]>;
  /** The number of positions without a word between the previous part and this part. */
  readonly gap: number;
}

/** Divides the words of a query into parts. The longest phrases with synonyms are found first. */
function partsOf(tokens: readonly Token[], synonyms: SynonymSource, search: Searching): Part[] {
  const words = tokens.map(({ term }) => term);
  const parts: Part[] = [];
  for (let at = 0; at < words.length; ) {
    search.check();
    const found = synonyms.at(words, at);
    const length = found?.length ?? 1;
    const position = tokens[at]?.position ?? 0;
    const before = tokens[at - 1]?.position ?? position - 1;
    parts.push({
      phrases:
        found?.itself === false ? found.others : [words.slice(at, at + length), ...(found?.others ?? [])],
      gap: Math.max(0, position - before - 1),
    });
    at += length;
  }
  return parts;
}

/** Finds the words of a query or their synonyms. If a document contains several synonyms, only the best one scores. */
export function wordsOrSynonyms(
  tokens: readonly Token[],
  field: TextField,
  criteria: 'all' | 'any',
  synonyms: SynonymSource,
  search: Searching,
): Operator[] {
  const parts = partsOf(tokens, synonyms, search);
  if (parts.length === 0) return [];
  const clauses = parts.map(({ phrases }) =>
    bestOf(
      phrases.map((phrase) =>
        phraseOperator(
          phrase,
          phrase.map((_, at) => at),
          0,
          field,
          search,
        ),
      ),
    ),
  );
  return [anyOf(clauses, criteria === 'all' ? clauses.length : 1)];
}

/** Finds the words of a query in their positions, where each phrase may be replaced by one of its synonyms. */
export function phraseOrSynonyms(
  tokens: readonly Token[],
  field: TextField,
  slop: number,
  synonyms: SynonymSource,
  search: Searching,
): Operator[] {
  let all: Variant[] = [{ words: [], positions: [] }];
  for (const { phrases, gap } of partsOf(tokens, synonyms, search)) {
    if (all.length * phrases.length > MAX_CLAUSES) throw tooManyClauses();
    search.spend(all.length * phrases.length);
    const [only] = phrases;
    if (phrases.length === 1 && only !== undefined) for (const variant of all) extend(variant, only, gap);
    else all = all.flatMap((variant) => phrases.map((phrase) => extended(variant, phrase, gap, search)));
  }
  return all
    .filter(({ words }) => words.length > 0)
    .map(({ words, positions }) => {
      search.spend(words.length);
      return phraseOperator(words, positions, slop, field, search);
    });
}

/** The words that replace those of a query, and their positions. */
interface Variant {
  readonly words: string[];
  readonly positions: number[];
}

/** Appends a phrase in place. A copy for each word of the query would take quadratic time. */
function extend({ words, positions }: Variant, phrase: readonly string[], gap: number): void {
  const from = (positions.at(-1) ?? -1) + 1 + gap;
  for (const [at, word] of phrase.entries()) {
    words.push(word);
    positions.push(from + at);
  }
}

function extended(
  { words, positions }: Variant,
  phrase: readonly string[],
  gap: number,
  search: Searching,
): Variant {
  search.spend(words.length);
  const copy = { words: [...words], positions: [...positions] };
  extend(copy, phrase, gap);
  return copy;
}

function phraseOperator(
  words: readonly string[],
  positions: readonly number[],
  slop: number,
  { key, mapping }: TextField,
  search: Searching,
): Operator {
  const [only] = words;
  if (words.length === 1 && only !== undefined) return new TermOperator(search, key, only, { mapping });
  const sources = words.map((word) => termSpans(search, { key, mapping }, word));
  return spanOperator(sloppy(search, sources, positions, slop), search);
}

/** Matches documents that match any of several operators. The highest score counts. */
function bestOf(operators: readonly Operator[]): Operator {
  const [only] = operators;
  if (operators.length === 1 && only !== undefined) return only;
  return {
    searchedTerms: operators.flatMap(({ searchedTerms }) => searchedTerms ?? []),
    hits(segment) {
      const best = new Hits(segment.size);
      for (const operator of operators) {
        const hits = operator.hits(segment);
        passes(segment.size);
        for (let doc = 0; doc < segment.size; doc++) {
          if (hits.found[doc] === 0) continue;
          best.set(doc, Math.max(best.scores[doc] as number, hits.scores[doc] as number));
        }
      }
      return best;
    },
    explain(segment, doc) {
      const all = operators.filter((one) => one.hits(segment).found[doc] === 1);
      const details = all.map((one) => explainOf(one, segment, doc));
      const value = Math.max(0, ...details.map((one) => one.value));
      return { value, description: 'max of:', details };
    },
  };
}
