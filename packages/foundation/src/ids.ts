import type { Random } from './random.ts';

/**
 * Creates identifiers of 24 lowercase hexadecimal characters that sort by the second of their creation
 * (docs/contract/api.md 2.1).
 */
export interface Ids {
  next(): string;
}

export const ID_PATTERN = '^([a-f0-9]{24})$';

/** The second in which an id was created. */
export function creationOf(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8), 16) * 1000);
}

/**
 * Creates a source of ids. Like an ObjectId, an id has four bytes of seconds, five random bytes per process, and a
 * counter of three bytes. The ids of one process sort by creation, and ids of different processes do not collide.
 */
export function ids(now: () => number, random: Random): Ids {
  const process = random.bytes(5).toString('hex');
  let counter = random.integer(0x1000000);
  return {
    next() {
      counter = (counter + 1) % 0x1000000;
      const seconds = Math.floor(now() / 1000) >>> 0;
      return seconds.toString(16).padStart(8, '0') + process + counter.toString(16).padStart(6, '0');
    },
  };
}
