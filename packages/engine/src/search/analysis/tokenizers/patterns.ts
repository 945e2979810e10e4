import { patternEngine } from '../../../interface/search/index.ts';
import type { Token, Tokenizer } from '../token.ts';

/** The matches of a group of the pattern; group 0 is the whole match. Empty matches are ignored. */
export function captureTokenizer(pattern: string, group: number): Tokenizer {
  const compiled = patternEngine().compile(pattern);
  return (text) => {
    const tokens: Token[] = [];
    const matcher = compiled.matcher(text);
    while (matcher.find()) {
      if (group > matcher.groupCount()) break;
      const start = matcher.start(group);
      const end = matcher.end(group);
      if (end > start) tokens.push(tokenOf(text, start, end, tokens.length));
    }
    return tokens;
  };
}

/** The text between matches of the pattern. */
export function splitTokenizer(pattern: string): Tokenizer {
  const compiled = patternEngine().compile(pattern);
  return (text) => {
    const tokens: Token[] = [];
    const matcher = compiled.matcher(text);
    let from = 0;
    while (matcher.find()) {
      if (matcher.start() > from) tokens.push(tokenOf(text, from, matcher.start(), tokens.length));
      from = matcher.end();
    }
    if (from < text.length) tokens.push(tokenOf(text, from, text.length, tokens.length));
    return tokens;
  };
}

function tokenOf(text: string, start: number, end: number, position: number): Token {
  return { term: text.slice(start, end), start, end, position };
}
