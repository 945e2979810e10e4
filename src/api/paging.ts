/** Pages of a list (contract 4.1 PAGE). */

export const MAX_ITEMS_PER_PAGE = 500;
export const DEFAULT_ITEMS_PER_PAGE = 100;

export interface PageRequest {
  readonly itemsPerPage: number;
  /** From 1. */
  readonly pageNum: number;
  readonly includeCount: boolean;
  /** Where the page before ended, when the caller followed `next`: the key of its last row. */
  readonly after?: string;
}

export interface Page<T> {
  readonly results: readonly T[];
  /** Size of the whole result. Absent where it was not asked for. */
  readonly totalCount?: number | undefined;
  /** The key of the last row, when another page follows. */
  readonly next?: string | undefined;
}

/** The page of a list that is at hand as a whole. */
export function pageOf<T>(all: readonly T[], request: PageRequest): Page<T> {
  const start = (request.pageNum - 1) * request.itemsPerPage;
  return { results: all.slice(start, start + request.itemsPerPage), totalCount: all.length };
}
