import { BoundedTokens, type Tokenizer } from '../token.ts';

/**
 * Grams of the text, from `minGram` to `maxGram` characters long, each at its own position; with `onlyEdge`, only
 * those at the beginning.
 */
export function gramTokenizer(minGram: number, maxGram: number, onlyEdge: boolean): Tokenizer {
  return (text) => {
    const bounds = characterBounds(text);
    const tokens = new BoundedTokens();
    const last = onlyEdge ? 0 : bounds.length - 2;
    for (let from = 0; from <= last && !tokens.full; from++) {
      for (let to = from + minGram; to <= from + maxGram && to < bounds.length && !tokens.full; to++) {
        const start = bounds[from] as number;
        const end = bounds[to] as number;
        tokens.push({ term: text.slice(start, end), start, end, position: tokens.all.length });
      }
    }
    return tokens.all;
  };
}

/** The offsets where characters begin, and the end of the text. A surrogate pair is one character. */
export function characterBounds(text: string): readonly number[] {
  const bounds = [0];
  for (const character of text) bounds.push((bounds.at(-1) as number) + character.length);
  return bounds;
}
