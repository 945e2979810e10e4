import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

/**
 * The service has only one thread, so reading a request must take time in proportion to its size. These tests count how
 * often rules read a field or an entry of a large input. Counts do not depend on the machine.
 */

/** Reads per value of the input. Rules read each value a few times, because they check, copy and convert it. */
const READS_PER_VALUE = 30;

export interface LargeInput {
  readonly input: unknown;
  /** Reads the input, and may reject it with a fault. The parameter is `never`, because inputs have many types. */
  readonly rules: (input: never) => unknown;
}

/** Declares a test for each input, by name. Each test fails if the rules read the input more often than its size allows. */
export function testLargeInputs(inputs: Readonly<Record<string, LargeInput>>): void {
  describe('each value of a large input is read only a few times:', () => {
    for (const [name, { input, rules }] of Object.entries(inputs)) {
      it(name, () => {
        let reads = 0;
        const limit = READS_PER_VALUE * valuesIn(input);
        const own = counted(input, () => {
          if (++reads > limit) throw new RangeError(`more than ${limit} reads`);
        });
        try {
          rules(own as never);
        } catch (error) {
          if ((error as Error).name !== 'Fault') throw error;
        }
        assert.ok(reads > 0);
      });
    }
  });
}

/** Returns a copy of an input whose fields and entries call `read` whenever they are read. */
function counted(value: unknown, read: () => void): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const copy: object = Array.isArray(value)
    ? value.map((entry) => counted(entry, read))
    : Object.fromEntries(Object.entries(value).map(([name, field]) => [name, counted(field, read)]));
  return new Proxy(copy, {
    get(target, name, receiver) {
      read();
      return Reflect.get(target, name, receiver);
    },
  });
}

function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, field) => sum + valuesIn(field), 1);
}

export const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
