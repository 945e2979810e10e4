import { nextTurn } from '@portolan/foundation/next-turn';

/**
 * Work in steps, each of which takes at most a few milliseconds. It yields after each step, so that its caller can
 * serve other requests.
 */
export type Steps<T> = Generator<undefined, T>;

/** Number of steps without a pause for other requests. */
const TURN_STEPS = 8;

/** Runs all steps, with pauses for other requests. */
export async function inTurns<T>(steps: Steps<T>, turn = nextTurn): Promise<T> {
  for (let count = 1; ; count++) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (count % TURN_STEPS === 0) await turn();
  }
}

/** Runs all steps without a pause. */
export function completed<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
