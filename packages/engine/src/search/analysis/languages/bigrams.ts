import type { Token, TokenFilter } from '../token.ts';

const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Splits Chinese, Japanese and Korean text into pairs of neighbouring characters; a single character is a token by
 * itself. Words of other scripts stay.
 */
export const cjkBigrams: TokenFilter = (tokens) => {
  const made: Token[] = [];
  let run: Token[] = [];
  const push = (term: string, start: number, end: number) =>
    made.push({ term, start, end, position: made.length });
  const endRun = () => {
    const [first] = run;
    if (run.length === 1 && first !== undefined) push(first.term, first.start, first.end);
    for (let index = 1; index < run.length; index++) {
      const [one, two] = [run[index - 1] as Token, run[index] as Token];
      push(one.term + two.term, one.start, two.end);
    }
    run = [];
  };
  for (const token of tokens.flatMap(inCharacters)) {
    if (run.length > 0 && (run.at(-1)?.end !== token.start || !CJK.test(token.term))) endRun();
    if (CJK.test(token.term)) run.push(token);
    else push(token.term, token.start, token.end);
  }
  endRun();
  return made;
};

/** Splits runs of Hangul and Katakana into characters. */
function inCharacters(token: Token): readonly Token[] {
  if (!CJK.test(token.term) || token.term.length === 1) return [token];
  let start = token.start;
  return Array.from(token.term, (term) => {
    const one = { term, start, end: start + term.length, position: token.position };
    start = one.end;
    return one;
  });
}
