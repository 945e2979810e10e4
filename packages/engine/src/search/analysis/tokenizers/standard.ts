import { BATCH, type Token, type Tokenizer } from '../token.ts';
import { BEGINNING, JOINS, TOKEN } from './word-classes.ts';

/** Longer tokens are split into pieces of this length. */
export const MAX_TOKEN_LENGTH = 255;

const WORD = 1;
/** The class of `.`, `'`, `,`, `:`, `;` and `"`, which are part of a word between certain characters. */
const MAYBE = 2;

const ascii = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[a-z0-9_]/i.test(character)) ascii[code] = WORD;
  else if (/[.',:;"]/.test(character)) ascii[code] = MAYBE;
}

/** For each UTF-16 unit that texts have contained, 1 if a word can begin with it, and 2 if not. */
const beginnings = new Uint8Array(65_536);

/** False if no word can begin with a non-ASCII unit. Without this test, the pattern would need 10 µs for each unit. */
function mayBegin(unit: number): boolean {
  const known = beginnings[unit];
  if (known !== 0) return known === 1;
  const may = (unit >= 0xd800 && unit < 0xe000) || BEGINNING.test(String.fromCharCode(unit));
  beginnings[unit] = may ? 1 : 2;
  return may;
}

/** Splits text into words according to UAX #29; see `word-classes.ts`. */
export function standardTokenizer(maxTokenLength = MAX_TOKEN_LENGTH): Tokenizer {
  return (text) => standardBatches(text, maxTokenLength);
}

/** The number of characters at which the pattern may fail before a batch ends. Each takes up to 5 µs. */
const MAX_FAILED = 1_024;

/** Fills batches directly, because a generator step per token would increase the time by half. */
function* standardBatches(text: string, maxTokenLength: number): Generator<readonly Token[]> {
  let batch: Token[] = [];
  let [at, position, failed] = [0, 0, 0];
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code < 128 && ascii[code] !== WORD) {
      at++;
      continue;
    }
    if (code >= 128 && !mayBegin(code)) {
      at++;
      continue;
    }
    const end = plainWord(text, at) ?? grammarWord(text, at);
    if (end === undefined) {
      at = joinsEnd(text, at);
      if (++failed % MAX_FAILED !== 0) continue;
      yield batch;
      batch = [];
      continue;
    }
    if (text[at] !== '_' || !onlyJoins(text, at, end)) {
      for (let from = at; from < end; from += maxTokenLength) {
        const to = Math.min(end, from + maxTokenLength);
        batch.push({ term: text.slice(from, to), start: from, end: to, position: position++ });
      }
    }
    at = end;
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/**
 * Returns the end of a word of ASCII letters and digits. In the rare case that the next characters may belong
 * to the word as well, returns undefined.
 */
function plainWord(text: string, start: number): number | undefined {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code >= 128) return undefined;
    const kind = ascii[code];
    if (kind !== WORD) {
      if (kind !== MAYBE) return at;
      const next = text.charCodeAt(at + 1);
      return next >= 128 || ascii[next] === WORD ? undefined : at;
    }
    at++;
  }
  return at;
}

/**
 * Maximum number of characters that the pattern reads at once, because a match of millions of characters would overflow
 * the stack. The number is a multiple of the token length.
 */
const MOST = 64 * MAX_TOKEN_LENGTH;

function grammarWord(text: string, start: number): number | undefined {
  const whole = text.length - start <= MOST;
  const part = whole ? text : text.slice(start, start + MOST);
  const at = whole ? start : 0;
  TOKEN.lastIndex = at;
  const found = TOKEN.exec(part);
  return found?.index === at ? TOKEN.lastIndex + start - at : undefined;
}

/** Returns where to continue after a character that begins no word. Also skips characters that only join words. */
function joinsEnd(text: string, start: number): number {
  JOINS.lastIndex = start;
  return JOINS.test(text) ? JOINS.lastIndex : start + 1;
}

/** True if the text consists of underscores, which are not a word. */
function onlyJoins(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text[at] !== '_') return false;
  return true;
}
