import type { Bytes } from '@portolan/engine/interface/call';
import { Turns } from '@portolan/foundation/turns';
import { type SlowQuery, slowQueryIn } from './slow-query.ts';

/** Number of characters of a line that are parsed in about 5 µs, the unit of `Turns`. */
const CHARACTERS_PER_TURN = 500;

/**
 * Returns the newest slow operations of a log, oldest first: at most `limit` operations, all of which `wanted` accepts.
 */
export async function newestSlowQueries(
  log: Bytes,
  limit: number,
  wanted: (query: SlowQuery) => boolean,
): Promise<readonly SlowQuery[]> {
  let found: SlowQuery[] = [];
  for await (const line of linesOf(log)) {
    const query = slowQueryIn(line);
    if (query !== undefined && wanted(query)) found.push(query);
    // Remove lines in batches, since removing the first line of a long list would move all others each time.
    if (found.length > 2 * limit + 1000) found = found.slice(-limit);
  }
  return limit === 0 ? [] : found.slice(-limit);
}

/** Yields the lines of a log, with pauses for other requests. */
export async function* linesOf(log: Bytes): AsyncGenerator<string> {
  const turns = new Turns();
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of log) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      await turns.take(1 + line.length / CHARACTERS_PER_TURN);
      yield line;
    }
  }
  if (rest !== '') yield rest;
}

/** Whether a namespace contains data of users. Commands on a whole database have the pseudo-collection `$cmd`. */
export const isUserData = (namespace: string) => !/^(admin|config|local)\.|\.\$cmd$/.test(namespace);
