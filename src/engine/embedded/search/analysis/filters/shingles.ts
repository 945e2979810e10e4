import type { Token, TokenFilter } from '../token.ts';

/** Stands for a word that was taken out. */
const GAP = '_';

/** Besides every token those of several neighbours, joined by spaces. */
export function shingles(minSize: number, maxSize: number): TokenFilter {
  return (tokens) => {
    const slots = slotsOf(tokens);
    return slots.flatMap((first, index): Token[] => {
      const made: Token[] = first.isGap ? [] : [first.token];
      for (let size = minSize; size <= maxSize && index + size <= slots.length; size++) {
        const joined = slots.slice(index, index + size);
        if (joined.every(({ isGap }) => isGap)) continue;
        const { start, position } = first.token;
        const { end } = (joined.at(-1) ?? first).token;
        made.push({ term: joined.map(({ token }) => token.term).join(' '), start, end, position });
      }
      return made;
    });
  };
}

interface Slot {
  readonly token: Token;
  readonly isGap: boolean;
}

/** One for every position. */
function slotsOf(tokens: readonly Token[]): readonly Slot[] {
  const slots: Slot[] = [];
  let next: number | undefined;
  for (const token of tokens) {
    for (; next !== undefined && next < token.position; next++) {
      slots.push({ token: { term: GAP, start: token.start, end: token.start, position: next }, isGap: true });
    }
    if (next !== undefined && token.position < next) continue;
    slots.push({ token, isGap: false });
    next = token.position + 1;
  }
  return slots;
}
