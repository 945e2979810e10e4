import { steps } from '../../../bson/turns.ts';
import { compilePattern } from '../../../language/patterns/pattern.ts';
import { PatternError } from '../../../language/patterns/pattern-error.ts';
import type { Interruptible } from '../../../statement/statement.ts';
import { searchError } from '../errors.ts';
import { termQuery } from '../explain-term.ts';
import { Hits } from '../hits.ts';
import { perlOf } from '../lucene-regex.ts';
import type { CompileOperator, Operator, OperatorTable } from '../operator.ts';
import { checkUnanalyzed, pathsOf, type TextField, textFields } from '../paths.ts';
import type { Searching } from '../searching.ts';
import { anyOf, MAX_CLAUSES, tooManyClauses } from '../terms.ts';

/** The interruption checks of a search, and its limit of steps. */
interface Checks extends Interruptible {
  spend(steps: number): void;
}

/** A pattern that whole terms must match. */
export interface TermPattern {
  readonly pattern: { test(term: string, checks: Checks): boolean };
  /** The prefix that all matching terms have. */
  readonly prefix: string;
  /** The least and the greatest term that can match, if there are such bounds. */
  readonly bounds?: { readonly low: string | undefined; readonly high: string | undefined };
  /** The cost of testing one character, in steps. */
  readonly cost: number;
}

export const patternOperators: OperatorTable = {
  wildcard: patternOperator('wildcard', wildcardPattern, true),
  regex: patternOperator('regex', regexPattern, false),
};

/** With `normalized`, the filters of each field's analyzer are applied to the query, but not its tokenizer. */
function patternOperator(
  name: string,
  compile: (query: string, name: string) => TermPattern,
  normalized: boolean,
): CompileOperator {
  return (spec, { search }) => {
    const queries = spec.strings('query');
    for (const query of queries)
      if (query === '') throw searchError(`"${spec.name('query')}" cannot be empty`);
    const paths = pathsOf(spec);
    const allowed = spec.bool('allowAnalyzedField') ?? false;
    spec.finish();
    if (queries.length > MAX_CLAUSES) throw tooManyClauses();
    const patterns = queries.map((query) => {
      steps(query.length);
      return compile(query, spec.name('query'));
    });
    const fields = textFields(paths, search);
    checkUnanalyzed(fields, allowed, name, search);
    return anyOf(
      fields.flatMap((field) => {
        if (!normalized || !allowed) {
          return patterns.map((pattern, at) => termsLike(field, pattern, queries[at] as string, search));
        }
        return queries.map((query) => {
          const own = search.normalize(field.mapping, query);
          return termsLike(field, compile(own, spec.name('query')), own, search);
        });
      }),
    );
  };
}

/** Finds documents with a term that matches the pattern. */
export function termsLike(
  { key }: Pick<TextField, 'key'>,
  { pattern, prefix, cost, bounds }: TermPattern,
  text: string,
  search: Searching,
): Operator {
  const { low, high } = bounds ?? {
    low: prefix,
    high: prefix === '' ? undefined : `${prefix}\u{10ffff}`,
  };
  const checks: Checks = { checkNow: search.checkNow, spend: (steps) => search.spend(steps) };
  return {
    searchedTerms: [{ field: key, matches: (term) => pattern.test(term, checks) }],
    query: termQuery(key, text),
    hits(segment) {
      const hits = new Hits(segment.size);
      const test = (term: string): boolean => {
        search.spend(1 + term.length * cost);
        return pattern.test(term, checks);
      };
      for (const [, { docs }] of segment.postingsOf(key, test, low, high))
        for (const doc of docs) hits.set(doc, 1);
      return hits;
    },
  };
}

const ANY = Symbol('any letters');
const ONE = Symbol('one letter');

type Wild = string | typeof ANY | typeof ONE;

/** Maximum length of a wildcard query. A term, which has at most 32,766 characters, matches no query of this length. */
const MAX_WILDCARD = 100_000;

/**
 * Compiles a wildcard query: `*` matches any characters and `?` a single one; a backslash escapes the next character.
 */
export function wildcardPattern(query: string, name: string): TermPattern {
  if (query.length > MAX_WILDCARD) throw searchError(`"${name}" has more than ${MAX_WILDCARD} characters`);
  const wild: Wild[] = [];
  const letters = [...query];
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] as string;
    if (letter === '*') {
      if (wild.at(-1) !== ANY) wild.push(ANY);
    } else if (letter === '?') wild.push(ONE);
    else wild.push(letter === '\\' && at + 1 < letters.length ? (letters[++at] as string) : letter);
  }
  const end = wild.findIndex((one) => typeof one !== 'string');
  const prefix = wild.slice(0, end < 0 ? wild.length : end).join('');
  return { pattern: { test: (term, checks) => matchesWild(wild, [...term], checks) }, prefix, cost: 1 };
}

/** The number of passes through the loop of `matchesWild` after which their steps are counted. */
const PASSES = 4_096;

/**
 * Matches in at most as many steps as the product of both lengths. After a mismatch, the last `*` takes one more
 * character, and the earlier ones keep theirs.
 */
function matchesWild(wild: readonly Wild[], letters: readonly string[], { spend }: Checks): boolean {
  let [at, own, star, taken] = [0, 0, -1, 0];
  for (let pass = 1; at < letters.length; pass++) {
    if (pass % PASSES === 0) spend(PASSES);
    const one = wild[own];
    if (one === ANY) {
      star = own++;
      taken = at;
    } else if (one === ONE || (one !== undefined && one === letters[at])) {
      own++;
      at++;
    } else if (star >= 0) {
      own = star + 1;
      at = ++taken;
    } else return false;
  }
  while (wild[own] === ANY) own++;
  return own === wild.length;
}

/**
 * Maximum number of operators in an expression. Each operator may take a step for every character of every
 * term. Lucene rejects large automata as well.
 */
const MAX_OPERATORS = 1_024;

/** Maximum number of digits of a bound of a numeric range. Each digit adds about 20 alternatives. */
const MAX_DIGITS = 18;
const LONG_RANGE = new RegExp(`<(?:\\d{${MAX_DIGITS + 1},}-\\d+|\\d+-\\d{${MAX_DIGITS + 1},})>`);

/** Maximum length of an expression with operators. Longer ones are rejected before they are translated. */
const MAX_LENGTH = 8_192;

/** Compiles a regular expression in Lucene's syntax, which is translated to the syntax of Perl. */
export function regexPattern(query: string, name: string): TermPattern {
  if (operatorsIn(query) === 0)
    return { pattern: { test: (term) => term === query }, prefix: query, cost: 1 };
  if (query.length > MAX_LENGTH) throw searchError(`"${name}" has more than ${MAX_LENGTH} characters`);
  if (LONG_RANGE.test(query))
    throw searchError(`"${name}" has a numeric range of more than ${MAX_DIGITS} digits`);
  const translated = perlOf(query);
  const operators = operatorsIn(translated);
  if (operators > MAX_OPERATORS) {
    throw searchError(`"${name}" has more than ${MAX_OPERATORS} operators`);
  }
  const prefix = /^[\p{L}\p{N}_]*/u.exec(query)?.[0] ?? '';
  // Drop the last character, because a quantifier may make it optional.
  const certain = query.includes('|') ? '' : [...prefix].slice(0, -1).join('');
  return { pattern: wholePattern(translated, query, name), prefix: certain, cost: 1 + operators };
}

/** Counts the characters that can be operators. */
function operatorsIn(text: string): number {
  return text.match(/[^\p{L}\p{N}\s_]/gu)?.length ?? 0;
}

function wholePattern(translated: string, query: string, name: string): TermPattern['pattern'] {
  try {
    const { regexp } = compilePattern(`^(?:${translated})\\z`, 's');
    return regexp;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw searchError(`"${name}" is not a valid regular expression: ${query.slice(0, 100)}`);
  }
}
