import type { AccessPath } from '../storage/access.ts';

/**
 * Statements run to their end without giving the thread away, so long ones say now and then that they are still at
 * it. Whoever runs statements may then stop this one, by throwing, or run others before it goes on.
 */

let look: (() => void) | undefined;
let passed = 0;

/** Of so many check points one looks: a clock costs 40 ns, what lies between two of them a few µs. */
const ONE_OF = 16;

/** Stands in every loop that may take long: over documents, entries, comparisons. May throw. */
export function checkPoint(): void {
  if (look !== undefined && ++passed % ONE_OF === 0) look();
}

/** Stands where milliseconds may have passed since the last one. May throw. */
export function checkPointNow(): void {
  look?.();
}

/** From here on check points call `next`; answers what they called before, to be put back. */
export function watchStatements(next: (() => void) | undefined): (() => void) | undefined {
  const before = look;
  look = next;
  return before;
}

/** What was read from the file, in index keys and documents, since somebody last set this to 0. */
export const examined: Examined = { keys: 0, documents: 0, path: undefined };

interface Examined {
  keys: number;
  documents: number;
  /** The first way to documents that was taken. */
  path: AccessPath | undefined;
}
