import { BoundedTokens, type Token, type TokenFilter } from '../token.ts';

/** Stands for a removed word. */
const GAP = '_';

/** Adds terms of several neighbouring tokens, joined by spaces. */
export function shingles(minSize: number, maxSize: number): TokenFilter {
  return (tokens) => {
    const slots = slotsOf(tokens);
    const made = new BoundedTokens();
    for (const [index, first] of slots.entries()) {
      if (!first.isGap) made.push(first.token);
      const { start, position } = first.token;
      let [term, isGap] = [first.token.term, first.isGap];
      for (let size = 2; size <= maxSize && !made.full; size++) {
        const last = slots[index + size - 1];
        if (last === undefined) break;
        term += ` ${last.token.term}`;
        isGap &&= last.isGap;
        if (size >= minSize && !isGap) made.push({ term, start, end: last.token.end, position });
      }
    }
    return made.all;
  };
}

interface Slot {
  readonly token: Token;
  readonly isGap: boolean;
}

/** One slot per position. */
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
