import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';

/** Selects the rows of one page: by page number, or after a key. */
export interface PageRange {
  readonly itemsPerPage: number;
  /** The number of the page; the first page is 1. */
  readonly pageNum: number;
  /**
   * The key of the last row before the page. The database finds this key in an index, so that later pages are read as
   * fast as the first page.
   */
  readonly after?: string;
}

/** Paging parameters of a request. */
export interface PageRequest extends PageRange {
  readonly includeCount: boolean;
}

export interface Page<T> {
  readonly results: readonly T[];
  /** Number of rows in the whole list, if the request has `includeCount`. */
  readonly totalCount?: number | undefined;
  /** The key of the last row, if another page follows. */
  readonly next?: string | undefined;
}

/** Returns a page of a list in memory. */
export function pageOf<T>(all: readonly T[], range: PageRange): Page<T> {
  const start = (range.pageNum - 1) * range.itemsPerPage;
  return { results: all.slice(start, start + range.itemsPerPage), totalCount: all.length };
}

export interface PageRows<Row> {
  readonly rows: Row[];
  /** The key for reading the next page; undefined on the last page. */
  readonly next: string | undefined;
}

/**
 * Reads one page of a query, ordered by the column `key`. The values of this column must be unique within the result of
 * the query. The query is fast if an index contains the columns of the conditions, followed by this column.
 */
export async function fetchPage<Tables, From extends keyof Tables, Row, Key extends string & keyof Row>(
  query: SelectQueryBuilder<Tables, From, Row>,
  key: Key,
  range: PageRange,
  direction: 'asc' | 'desc' = 'asc',
): Promise<PageRows<Row>> {
  const column = sql.ref(key);
  let page = query.orderBy(column, direction).limit(range.itemsPerPage + 1);
  if (range.after !== undefined) {
    const beyond = direction === 'asc' ? sql`>` : sql`<`;
    page = page.where(sql<SqlBool>`${column} ${beyond} ${range.after}`);
  } else if (range.pageNum > 1) {
    page = page.offset((range.pageNum - 1) * range.itemsPerPage);
  }
  const found = await page.execute();
  const rows = found.slice(0, range.itemsPerPage) as Row[];
  const last = found.length > rows.length ? rows.at(-1) : undefined;
  return { rows, next: last && String(last[key]) };
}
