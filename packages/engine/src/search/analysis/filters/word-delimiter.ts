import type { DelimiterOptions } from '../../../interface/search/index.ts';
import { type Token, type TokenFilter, tokenFilter } from '../token.ts';
import { lowercased } from './lowercase.ts';

const LOWER = 1;
const UPPER = 2;
const ALPHA = LOWER | UPPER;
const DIGIT = 4;
const DELIMITER = 8;

/** The cost in steps per character. */
const COST = 10;

interface Part {
  readonly start: number;
  readonly end: number;
  readonly isNumber: boolean;
}

/** Splits terms at characters other than letters and digits, at changes of case, and between letters and digits. */
export function wordDelimiter(
  options: DelimiterOptions,
  { words, ignoreCase }: { readonly words: readonly string[]; readonly ignoreCase: boolean },
): TokenFilter {
  const key = (word: string) => (ignoreCase ? lowercased(word) : word);
  const isProtected = new Set(words.map(key));
  const filter: TokenFilter = (batches, most) => {
    // The number of positions by which later tokens move. Each part of a split term gets a position of its own.
    let moved = 0;
    const parted = tokenFilter((token) => {
      const here = { ...token, position: token.position + moved };
      const isKept = options.ignoreKeywords && token.keyword === true;
      const parts = isKept || isProtected.has(key(token.term)) ? undefined : partsOf(token.term, options);
      const isWhole = parts?.length === 1 && parts[0]?.start === 0 && parts[0].end === token.term.length;
      if (parts === undefined || isWhole) return [here];
      const { tokens, positions } = split(here, parts, options);
      moved += positions - 1;
      return tokens;
    });
    return parted(batches, most);
  };
  return Object.assign(filter, { cost: COST });
}

/** Returns the tokens that replace one token, and the number of positions that they take. */
function split(token: Token, parts: readonly Part[], options: DelimiterOptions) {
  const runs: Array<readonly Part[]> = [];
  let run: Part[] = [];
  for (const part of parts) {
    if (run.length > 0 && run[0]?.isNumber !== part.isNumber) {
      runs.push(run);
      run = [];
    }
    run.push(part);
  }
  if (run.length > 0) runs.push(run);

  const made: Array<Token & { readonly width: number }> = [];
  let position = token.position;
  const all = { first: position };
  for (const one of runs) {
    const isNumber = one[0]?.isNumber === true;
    const generate = isNumber ? options.generateNumberParts : options.generateWordParts;
    const concatenate = isNumber ? options.concatenateNumbers : options.concatenateWords;
    const isAll = options.concatenateAll && runs.length === 1;
    if (concatenate && !isAll && (one.length > 1 || !generate)) {
      made.push({ ...joined(token, one, position), width: generate ? one.length : 1 });
    }
    if (generate) {
      for (const part of one) made.push({ ...joined(token, [part], position++), width: 1 });
    } else if (concatenate) position++;
  }
  const positions = Math.max(1, position - all.first);
  if (options.concatenateAll && (parts.length > 1 || made.length === 0)) {
    if (parts.length > 0) made.push({ ...joined(token, parts, all.first), width: positions });
  }
  if (options.preserveOriginal) made.push({ ...token, width: positions + 1 });
  const tokens = made
    .toSorted((a, b) => a.position - b.position || b.width - a.width)
    .map(({ width: _, ...one }): Token => one);
  return { tokens, positions: made.length === 0 ? 0 : positions };
}

function joined(token: Token, parts: readonly Part[], position: number): Token {
  const term = parts.map(({ start, end }) => token.term.slice(start, end)).join('');
  // If an earlier filter has changed the length of the term, the offsets of its parts are unknown.
  if (token.end - token.start !== token.term.length) return { ...token, term, position };
  const { start = 0 } = parts[0] ?? {};
  const { end = 0 } = parts.at(-1) ?? {};
  return { term, start: token.start + start, end: token.start + end, position };
}

function partsOf(term: string, options: DelimiterOptions): readonly Part[] {
  const characters = [...term];
  const types = characters.map(typeOf);
  const parts: Part[] = [];
  let at = 0;
  let offset = 0;
  while (at < characters.length) {
    if (types[at] === DELIMITER) {
      offset += (characters[at] as string).length;
      at++;
      continue;
    }
    const start = offset;
    const first = types[at] as number;
    let last: number;
    do {
      last = types[at] as number;
      offset += (characters[at] as string).length;
      at++;
    } while (
      at < characters.length &&
      types[at] !== DELIMITER &&
      !isBreak(last, types[at] as number, options)
    );
    parts.push({ start, end: offset, isNumber: first === DIGIT });
    if (options.stemEnglishPossessive && isPossessive(characters, types, at)) {
      offset += 2;
      at += 2;
    }
  }
  return parts;
}

function isBreak(last: number, type: number, options: DelimiterOptions): boolean {
  if ((last & type) !== 0) return false;
  const wasAlpha = (last & ALPHA) !== 0;
  const isAlpha = (type & ALPHA) !== 0;
  if (wasAlpha && isAlpha) return options.splitOnCaseChange && last !== UPPER;
  return options.splitOnNumerics || wasAlpha === isAlpha;
}

/** True at a final `'s` that follows letters. */
function isPossessive(characters: readonly string[], types: readonly number[], at: number): boolean {
  if (characters[at] !== "'" || !/^[sS]$/.test(characters[at + 1] ?? '')) return false;
  if (((types[at - 1] as number) & ALPHA) === 0) return false;
  return at + 2 === characters.length || types[at + 2] === DELIMITER;
}

/** The types of ASCII characters. Most characters are of them, and testing patterns takes up to a microsecond. */
const ascii = Array.from({ length: 128 }, (_, code) => unicodeTypeOf(String.fromCharCode(code)));

function typeOf(character: string): number {
  return ascii[character.charCodeAt(0)] ?? unicodeTypeOf(character);
}

function unicodeTypeOf(character: string): number {
  if (/\p{Lu}/u.test(character)) return UPPER;
  if (/\p{Ll}/u.test(character)) return LOWER;
  if (/[\p{L}\p{M}]/u.test(character)) return ALPHA;
  return /\p{N}/u.test(character) ? DIGIT : DELIMITER;
}
