import { expandedSize } from '@portolan/foundation/pattern-size';
import { patternEngine } from '../../../interface/search/index.ts';
import { batched, type Token, type Tokenizer } from '../token.ts';

/**
 * Maximum length of the text that a pattern splits at once. The length is limited, because some patterns,
 * such as `a.*z|a`, read the rest of the text for each match.
 */
const LONGEST = 2_048;

/** Creates a tokenizer from the matches of a pattern, and estimates the cost of the pattern. */
function byPattern(
  pattern: string,
  tokens: (
    text: string,
    compiled: ReturnType<ReturnType<typeof patternEngine>['compile']>,
  ) => Iterable<Token>,
): Tokenizer {
  const compiled = patternEngine().compile(pattern);
  const tokenizer = (text: string) => batched(tokens(text, compiled));
  return Object.assign(tokenizer, { cost: expandedSize(pattern), longest: LONGEST });
}

/** Returns the matches of a capture group; group 0 is the whole match. Empty matches are ignored. */
export function captureTokenizer(pattern: string, group: number): Tokenizer {
  return byPattern(pattern, function* (text, compiled) {
    let position = 0;
    const matcher = compiled.matcher(text);
    while (matcher.find()) {
      if (group > matcher.groupCount()) break;
      const start = matcher.start(group);
      const end = matcher.end(group);
      if (end > start) yield tokenOf(text, start, end, position++);
    }
  });
}

/** Returns the texts between the matches of the pattern. */
export function splitTokenizer(pattern: string): Tokenizer {
  return byPattern(pattern, function* (text, compiled) {
    const matcher = compiled.matcher(text);
    let [from, position] = [0, 0];
    while (matcher.find()) {
      if (matcher.start() > from) yield tokenOf(text, from, matcher.start(), position++);
      from = matcher.end();
    }
    if (from < text.length) yield tokenOf(text, from, text.length, position);
  });
}

function tokenOf(text: string, start: number, end: number, position: number): Token {
  return { term: text.slice(start, end), start, end, position };
}
