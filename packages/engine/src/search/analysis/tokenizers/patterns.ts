import { expandedSize } from '@portolan/foundation/pattern-size';
import { patternEngine } from '../../../interface/search/index.ts';
import { BATCH, PATTERN_STEPS, type Token, type Tokenizer } from '../token.ts';

/**
 * Maximum length of the text that a pattern splits at once. The length is limited, because some patterns,
 * such as `a.*z|a`, read the rest of the text for each match.
 */
const LONGEST = 2_048;

type Compiled = ReturnType<ReturnType<typeof patternEngine>['compile']>;
/** The token that a match has produced; undefined if it has produced none. */
type OfMatch = Token | undefined;

/** Creates a tokenizer from the matches of a pattern, and estimates the cost of the pattern. */
function byPattern(
  pattern: string,
  tokens: (text: string, compiled: Compiled) => Iterable<OfMatch>,
): Tokenizer {
  const compiled = patternEngine().compile(pattern);
  const cost = expandedSize(pattern);
  const tokenizer = (text: string) => batchesOf(tokens(text, compiled), cost * text.length);
  return Object.assign(tokenizer, { cost, longest: LONGEST });
}

/** Collects tokens in batches. A match takes at most `steps` steps. */
function* batchesOf(tokens: Iterable<OfMatch>, steps: number): Generator<readonly Token[]> {
  const most = Math.max(1, PATTERN_STEPS / steps);
  let [batch, matches]: [Token[], number] = [[], 0];
  for (const token of tokens) {
    if (token !== undefined) batch.push(token);
    if (batch.length < BATCH && ++matches < most) continue;
    yield batch;
    [batch, matches] = [[], 0];
  }
  yield batch;
}

/** Returns the matches of a capture group; group 0 is the whole match. Empty matches are ignored. */
export function captureTokenizer(pattern: string, group: number): Tokenizer {
  return byPattern(pattern, function* (text, compiled) {
    let position = 0;
    const matcher = compiled.matcher(text);
    if (group > matcher.groupCount()) return;
    while (matcher.find()) {
      const start = matcher.start(group);
      const end = matcher.end(group);
      yield end > start ? tokenOf(text, start, end, position++) : undefined;
    }
  });
}

/** Returns the texts between the matches of the pattern. */
export function splitTokenizer(pattern: string): Tokenizer {
  return byPattern(pattern, function* (text, compiled) {
    const matcher = compiled.matcher(text);
    let [from, position] = [0, 0];
    while (matcher.find()) {
      yield matcher.start() > from ? tokenOf(text, from, matcher.start(), position++) : undefined;
      from = matcher.end();
    }
    if (from < text.length) yield tokenOf(text, from, text.length, position);
  });
}

function tokenOf(text: string, start: number, end: number, position: number): Token {
  return { term: text.slice(start, end), start, end, position };
}
