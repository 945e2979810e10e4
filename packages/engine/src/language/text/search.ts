import type { Statement } from '../../statement/statement.ts';
import { queryLanguage } from './language.ts';
import type { Language } from './terms.ts';
import { type TermOptions, termsOf } from './terms.ts';

/** A parsed `$search` string. */
export interface Search extends TermOptions {
  readonly language: Language;
  /** Index terms. A document must contain at least one of them. */
  readonly terms: ReadonlySet<string>;
  /**
   * The same terms, folded according to the case and diacritic options. Documents are compared with these terms.
   */
  readonly wanted: ReadonlySet<string>;
  readonly unwanted: ReadonlySet<string>;
  readonly phrases: readonly string[];
  readonly unwantedPhrases: readonly string[];
}

/** Parses a search such as `words "a phrase" -not -"not this"` in a text index of the version. */
export function parseSearch(
  text: string,
  language: string,
  { version, ...given }: TermOptions & { readonly version: number },
  statement: Statement,
): Search {
  const stemming = queryLanguage(language, version);
  // Version 3 introduced the search without regard to diacritics.
  const options = version < 3 ? { ...given, diacriticSensitive: true } : given;
  const parts = partsOf(text, statement);
  const written = (sentence: readonly string[]) =>
    new Set(termsOf(sentence.join(' '), stemming, options, statement));
  return {
    ...options,
    language: stemming,
    terms: new Set(termsOf(parts.positive.join(' '), stemming, {}, statement)),
    wanted: written(parts.positive),
    unwanted: written(parts.negative),
    phrases: parts.phrases,
    unwantedPhrases: parts.unwantedPhrases,
  };
}

interface Parts {
  readonly positive: string[];
  readonly negative: string[];
  readonly phrases: string[];
  readonly unwantedPhrases: string[];
}

/** A minus at the start or after white space negates everything up to the next white space. A quote begins a phrase. */
const tokens = /(?<space>\s+)|(?<minus>-)|(?<quote>")|(?<word>[^\s"-]+)/gu;

function partsOf(text: string, statement: Statement): Parts {
  const parts: Parts = { positive: [], negative: [], phrases: [], unwantedPhrases: [] };
  let negated = false;
  let phraseFrom: number | undefined;
  let afterSpace = true;
  for (const { groups = {}, index } of text.matchAll(tokens)) {
    statement.check();
    if (groups.space !== undefined) {
      if (phraseFrom === undefined) negated = false;
      afterSpace = true;
      continue;
    }
    if (groups.minus !== undefined) {
      if (phraseFrom === undefined && afterSpace) negated = true;
    } else if (groups.quote !== undefined) {
      if (phraseFrom === undefined) phraseFrom = index + 1;
      else {
        (negated ? parts.unwantedPhrases : parts.phrases).push(text.slice(phraseFrom, index));
        phraseFrom = undefined;
        negated = false;
      }
    } else if (groups.word !== undefined && !(negated && phraseFrom !== undefined)) {
      (negated ? parts.negative : parts.positive).push(groups.word);
    }
    afterSpace = false;
  }
  return parts;
}
