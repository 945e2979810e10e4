import { changeTurn } from './turns.ts';

/** Returns how often other statements can run while this work runs. */
export function pollsOf(work: () => unknown): number {
  let polls = 0;
  const before = changeTurn({ poll: () => polls++, held: 0 });
  try {
    work();
  } finally {
    changeTurn(before);
  }
  return polls;
}
