import type { MachineClock } from './clock.ts';

/** A machine clock that a test advances. Timers run when they are due, in the order of their due times. */
export interface TestClock extends MachineClock {
  advance(ms: number): void;
  /**
   * Advances time as on a suspended machine: timers that are due run once, at the end. Suitable for years at a time.
   */
  sleep(ms: number): void;
  /** Sets the wall clock back, as a user or a time server may. Monotonic time is not affected. */
  setBack(ms: number): void;
}

export function testClock(start = Date.UTC(2025, 2, 12)): TestClock {
  let [passed, correction] = [0, 0];
  const waiting = new Set<{ at: number; run: () => void }>();
  return {
    now: () => start + passed + correction,
    monotonic: () => passed,
    after(ms, run) {
      const timer = { at: passed + ms, run };
      waiting.add(timer);
      return () => void waiting.delete(timer);
    },
    advance(ms) {
      const end = passed + ms;
      for (;;) {
        const next = [...waiting].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        waiting.delete(next);
        passed = Math.max(passed, next.at);
        next.run();
      }
      passed = end;
    },
    sleep(ms) {
      passed += ms;
      for (const timer of [...waiting].filter(({ at }) => at <= passed)) {
        waiting.delete(timer);
        timer.run();
      }
    },
    setBack(ms) {
      correction -= ms;
    },
  };
}
