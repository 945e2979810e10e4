import { BoundedTokens, type Tokenizer } from '../token.ts';

/** Pieces of the text of these lengths in characters, each at a position of its own; those at its edge alone, or all. */
export function gramTokenizer(minGram: number, maxGram: number, edgeAlone: boolean): Tokenizer {
  return (text) => {
    const bounds = characterBounds(text);
    const tokens = new BoundedTokens();
    const last = edgeAlone ? 0 : bounds.length - 2;
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

/** Where characters begin, and the end: a pair of surrogates is one. */
export function characterBounds(text: string): readonly number[] {
  const bounds = [0];
  for (const character of text) bounds.push((bounds.at(-1) as number) + character.length);
  return bounds;
}
