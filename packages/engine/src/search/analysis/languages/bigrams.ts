import { type Batches, batched, type Token, type TokenFilter } from '../token.ts';

const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Splits Chinese, Japanese and Korean text into overlapping pairs of characters. A character without neighbors is a
 * separate token. Words in other scripts are unchanged.
 */
export const cjkBigrams: TokenFilter = function* (batches: Batches, most: number) {
  // The last character of the current run, and whether it is already part of a pair.
  let [last, isPaired, position]: [Token | undefined, boolean, number] = [undefined, false, 0];
  const at = (token: Token): Token => ({ ...token, position: position++ });
  function* pairs(tokens: Iterable<Token>): Generator<Token> {
    for (const token of tokens) {
      const isCjk = CJK.test(token.term);
      const isNext = isCjk && last?.end === token.start;
      if (last !== undefined && isNext) {
        yield at({ ...last, term: last.term + token.term, end: token.end });
      } else if (last !== undefined && !isPaired) yield at(last);
      if (!isCjk) yield at(token);
      last = isCjk ? token : undefined;
      isPaired = isNext;
    }
  }
  for (const tokens of batches) yield* batched(pairs(tokens.flatMap(inCharacters)), most);
  if (last !== undefined && !isPaired) yield [at(last)];
};

/** Splits runs of Hangul and Katakana into single characters. */
function inCharacters(token: Token): readonly Token[] {
  if (!CJK.test(token.term) || token.term.length === 1) return [token];
  let start = token.start;
  return Array.from(token.term, (term) => {
    const one = { term, start, end: start + term.length, position: token.position };
    start = one.end;
    return one;
  });
}
