/** Reads lists of the API, which come in pages. */

/** A page of a list. Some operations return a bare array. */
export type List<T> = PageOf<T> | readonly T[];

export interface PageOf<T> {
  readonly results: readonly T[];
  readonly totalCount?: number;
  readonly links?: readonly { readonly rel: string; readonly href: string }[];
}

/** Returns the entries of a list that has one page. */
export const itemsOf = <T>(list: List<T>): readonly T[] => ('results' in list ? list.results : list);

const MAX_ITEMS_PER_PAGE = 500;

/** Adds parameters to the query of a path. */
export function withQuery(path: string, parameters: Readonly<Record<string, number>>): string {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return `${path}${path.includes('?') ? '&' : '?'}${query.join('&')}`;
}

/** Reads all pages of a list. `read` calls an operation with the query of a page. */
export async function readAll<T>(
  read: (path: string) => Promise<List<T>>,
  path: string,
): Promise<readonly T[]> {
  const entries: T[] = [];
  let next: string | undefined = withQuery(path, { itemsPerPage: MAX_ITEMS_PER_PAGE });
  while (next !== undefined) {
    const list: List<T> = await read(next);
    if (!('results' in list)) return list;
    for (const entry of list.results) entries.push(entry);
    next = nextPage(path, list);
  }
  return entries;
}

/**
 * Returns the path of the next page. Takes only the query from the link, because the link contains the service's own
 * host name, which can differ from the host of the console.
 */
function nextPage<T>(path: string, { links = [] }: PageOf<T>): string | undefined {
  const next = links.find(({ rel }) => rel === 'next');
  return next && path.replace(/\?.*$/, '') + new URL(next.href).search;
}
