import { Turns } from '@portolan/foundation/turns';
import type { Bytes } from '../interface/call.ts';

const NEWLINE = 10;
/** Number of characters whose parsing has the cost 1 (see `Turns`): it takes about five microseconds. */
const CHARACTERS = 1024;

/**
 * Parses a list that has one item per line, as JSON. A list can have several megabytes, so the function lets the event
 * loop do other work between parts of the list.
 */
export async function itemsIn(bytes: Bytes): Promise<unknown[]> {
  const items: unknown[] = [];
  const turns = new Turns();
  /** The beginning of a line whose end has not arrived. */
  let begun: Uint8Array[] = [];
  for await (const piece of bytes) {
    const end = piece.lastIndexOf(NEWLINE);
    begun.push(end === -1 ? piece : piece.subarray(0, end));
    if (end === -1) continue;
    for (const line of Buffer.concat(begun).toString().split('\n')) {
      items.push(JSON.parse(line));
      await turns.take(line.length / CHARACTERS);
    }
    begun = [piece.subarray(end + 1)];
  }
  return items;
}
