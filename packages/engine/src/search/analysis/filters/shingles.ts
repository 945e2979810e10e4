import { batched, MAX_TERM, type Token, type TokenFilter } from '../token.ts';

/** The text in place of a removed word. */
const GAP = '_';

/**
 * Maximum number of words in a shingle: a longer one exceeds the maximum length of a term, since each word takes at
 * least a letter and a space.
 */
const LONGEST = MAX_TERM >> 1;

/** Adds terms that consist of several neighboring tokens, joined by spaces. */
export function shingles(minSize: number, maxSize: number): TokenFilter {
  const longest = Math.min(maxSize, LONGEST);
  return function* (batches, most) {
    // `slots[first]` is the first slot whose shingles have not been returned yet. Earlier slots are removed after each
    // batch.
    let [slots, first, next]: [Slot[], number, number | undefined] = [[], 0, undefined];
    const add = (token: Token) => {
      // Limit the number of empty slots, because a wider gap separates the words around it in the same way.
      for (let gaps = 0; next !== undefined && next < token.position && gaps < longest; gaps++, next++) {
        slots.push({
          token: { term: GAP, start: token.start, end: token.start, position: next },
          isGap: true,
        });
      }
      if (next !== undefined && token.position < next) return;
      slots.push({ token, isGap: false });
      next = token.position + 1;
    };
    function* begun(end: number): Generator<Token> {
      for (; first < end; first++) yield* shinglesAt(slots, first, minSize, longest);
    }
    for (const tokens of batches) {
      for (const token of tokens) add(token);
      yield* batched(begun(slots.length - longest + 1), most);
      slots = slots.slice(first);
      first = 0;
    }
    yield* batched(begun(slots.length), most);
  };
}

interface Slot {
  readonly token: Token;
  readonly isGap: boolean;
}

/** Yields the token in a slot and the shingles that begin with it. */
function* shinglesAt(
  slots: readonly Slot[],
  index: number,
  minSize: number,
  longest: number,
): Generator<Token> {
  const { token, isGap } = slots[index] as Slot;
  if (!isGap) yield token;
  if (slots[index + minSize - 1] === undefined) return;
  const { start, position } = token;
  let [term, onlyGaps] = [token.term, isGap];
  for (let size = 2; size <= longest; size++) {
    const last = slots[index + size - 1];
    if (last === undefined) return;
    term += ` ${last.token.term}`;
    onlyGaps &&= last.isGap;
    if (size >= minSize && !onlyGaps) yield { term, start, end: last.token.end, position };
  }
}
