import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { freeing, type Statement } from '../../statement/statement.ts';
import { finder, TextUnits } from '../find-text.ts';
import { type TextIndex, visitTexts } from './index-fields.ts';
import type { Search } from './search.ts';
import type { Language } from './terms.ts';
import { folded, termsOf } from './terms.ts';

/** Returns the text score of a document, or undefined if it does not match. */
export type Scorer = (doc: RawDocument) => number | undefined;

export function compileSearch(index: TextIndex, search: Search, statement: Statement): Scorer {
  if (search.terms.size === 0) return () => undefined;
  const accepts = acceptance(index, search, statement);
  return (doc) => {
    let score: number | undefined;
    try {
      visitTexts(index, doc, (text, weight, language) => {
        const found = scoreOf({ text, weight, language }, search.terms, statement);
        if (found !== undefined) score = (score ?? 0) + found;
      });
    } catch (error) {
      // The document may be older than the index and have a language that the index would reject.
      if (!(error instanceof ServerError)) throw error;
    }
    return score !== undefined && accepts(doc) ? score : undefined;
  };
}

interface WeightedText {
  readonly text: string;
  readonly weight: number;
  readonly language: Language;
}

interface Occurrence {
  /** Number of occurrences of the term in the text. */
  count: number;
  /** The weighted number of occurrences: each one adds half as much as the previous one. */
  frequency: number;
  next: number;
}

/**
 * Returns the score of one text, or undefined if it contains none of the wanted terms. The score is the sum of
 * `weight * frequency * share * whole` over the wanted terms in the text. `share` is `0.5 + 0.5 * count / n`, where n
 * is the number of all terms of the text. `whole` is 1.1 if the term is the whole text, and 1 otherwise.
 */
function scoreOf(
  { text, weight, language }: WeightedText,
  wanted: ReadonlySet<string>,
  statement: Statement,
): number | undefined {
  const terms = termsOf(text, language, {}, statement);
  const occurrences = new Map<string, Occurrence>();
  for (const term of terms) {
    if (!wanted.has(term)) continue;
    const seen = occurrences.get(term);
    if (seen === undefined) occurrences.set(term, { count: 1, frequency: 1, next: 0.5 });
    else {
      seen.count++;
      seen.frequency += seen.next;
      seen.next /= 2;
    }
  }
  if (occurrences.size === 0) return undefined;
  let score = 0;
  for (const [term, { count, frequency }] of occurrences) {
    const share = (0.5 * count) / terms.length + 0.5;
    const whole = text.length === term.length && text.toLowerCase() === term ? 1.1 : 1;
    score += weight * frequency * share * whole;
  }
  return score;
}

/** Tests conditions that index terms cannot answer: negated terms, phrases, and the case and diacritic options. */
function acceptance(index: TextIndex, search: Search, statement: Statement): (doc: RawDocument) => boolean {
  const { wanted, unwanted, phrases, unwantedPhrases, caseSensitive, diacriticSensitive } = search;
  const exact = caseSensitive || diacriticSensitive;
  const fold = (text: string) => folded(text, search);
  const [inside, outside] = [phrases.map(fold), unwantedPhrases.map(fold)];
  const some = (doc: RawDocument, test: (text: string, language: Language) => boolean) => {
    let found = false;
    visitTexts(index, doc, (text, _, language) => {
      found ||= test(text, language);
    });
    return found;
  };
  const has = (doc: RawDocument, terms: ReadonlySet<string>) =>
    some(doc, (text, language) => termsOf(text, language, search, statement).some((term) => terms.has(term)));
  const holds = (doc: RawDocument, phrase: string) =>
    some(doc, (text) => {
      statement.checkNow();
      const within = new TextUnits(fold(text));
      return freeing(statement, () => finder(within, new TextUnits(phrase), statement)(0) >= 0);
    });
  return (doc) =>
    (!exact || has(doc, wanted)) &&
    (unwanted.size === 0 || !has(doc, unwanted)) &&
    inside.every((phrase) => holds(doc, phrase)) &&
    !outside.some((phrase) => holds(doc, phrase));
}
