import { batched, MAX_TERM, type Token, type Tokenizer } from '../token.ts';

/**
 * Grams of the text, from `minGram` to `maxGram` characters long, each at its own position; with `onlyEdge`, only
 * those at the beginning.
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

/** The offsets where characters begin, and the end of the text. A surrogate pair is one character. */
export function characterBounds(text: string): readonly number[] {
  const bounds = [0];
  for (const character of text) bounds.push((bounds.at(-1) as number) + character.length);
  return bounds;
}

/** From where grams of a text are taken. */
export type GramPlace = 'end' | 'everywhere' | 'start';

/** The grams of a text with so many characters, as the numbers of their first character and of the one after them. */
export function* gramsOf(
  length: number,
  minGram: number,
  maxGram: number,
  place: GramPlace,
): Generator<readonly [from: number, to: number]> {
  const longest = Math.min(maxGram, length, MAX_TERM);
  if (place !== 'everywhere') {
    for (let size = minGram; size <= longest; size++)
      yield place === 'start' ? [0, size] : [length - size, length];
    return;
  }
  for (let from = 0; from + minGram <= length; from++) {
    for (let size = minGram; size <= longest && from + size <= length; size++) yield [from, from + size];
  }
}
