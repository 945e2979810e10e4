import { batched, MAX_TERM, type Token, type Tokenizer } from '../token.ts';

/**
 * Splits text into grams of `minGram` to `maxGram` characters, each with a position of its own. With `onlyEdge`, only
 * grams at the start of the text are returned.
 */
export function gramTokenizer(minGram: number, maxGram: number, onlyEdge: boolean): Tokenizer {
  function* tokens(text: string): Generator<Token> {
    const bounds = characterBounds(text);
    let position = 0;
    for (const [from, to] of gramsOf(
      bounds.length - 1,
      minGram,
      maxGram,
      onlyEdge ? 'start' : 'everywhere',
    )) {
      const [start, end] = [bounds[from] as number, bounds[to] as number];
      yield { term: text.slice(start, end), start, end, position: position++ };
    }
  }
  const tokenizer = (text: string) => batched(tokens(text));
  return onlyEdge ? Object.assign(tokenizer, { wholly: true }) : tokenizer;
}

/** Returns the offset of each character, and the end of the text. A surrogate pair is one character. */
export function characterBounds(text: string): readonly number[] {
  const bounds = [0];
  for (const character of text) bounds.push((bounds.at(-1) as number) + character.length);
  return bounds;
}

/** The part of a text from which grams are taken. */
export type GramPlace = 'everywhere' | 'start';

/**
 * Yields the grams of a text with `length` characters, each as two indexes: that of its first character, and that after
 * its last character.
 */
export function* gramsOf(
  length: number,
  minGram: number,
  maxGram: number,
  place: GramPlace,
): Generator<readonly [from: number, to: number]> {
  const longest = Math.min(maxGram, length, MAX_TERM);
  if (place === 'start') {
    for (let size = minGram; size <= longest; size++) yield [0, size];
    return;
  }
  for (let from = 0; from + minGram <= length; from++) {
    for (let size = minGram; size <= longest && from + size <= length; size++) yield [from, from + size];
  }
}
