import type { Client } from '../client.ts';
import { expectStatus } from '../expect.ts';
import type { ListDocument } from '../stage.ts';

/** Reads all pages of a list. Throws if `totalCount` differs from the number of results. */
export async function listAll<T>(client: Client, path: string): Promise<readonly T[]> {
  const results: T[] = [];
  for (let pageNum = 1; ; pageNum++) {
    const page = await client.get(`${path}?itemsPerPage=500&pageNum=${pageNum}`);
    const document = expectStatus<ListDocument<T>>(page, 200);
    results.push(...document.results);
    if (document.totalCount !== undefined && results.length >= document.totalCount) return results;
    if (document.results.length === 0)
      throw new Error(`${path} counts ${document.totalCount} and lists ${results.length}`);
  }
}
