import type { Page, PageRequest } from '../../store/page.ts';
import type { Link } from '../schema/presenter.ts';

/** The address of the requested list. */
export interface ListAddress {
  /** The URL of the list, without the query. */
  readonly url: string;
  /** The query as in the request line, without the question mark. */
  readonly query: string;
}

type Parameter = readonly [name: string, value: string];

const PAGING = new Set(['pageNum', 'itemsPerPage', 'after']);

/**
 * Returns the link `self`, and the links `previous` and `next` if these pages exist (docs/contract/access.md 5).
 * `next` contains both the page number and the key of the last row. With the key, the next page is read as fast as
 * the first.
 */
export function pageLinks(at: ListAddress, request: PageRequest, page: Page<unknown>): readonly Link[] {
  const given: readonly Parameter[] = [...new URLSearchParams(at.query)];
  const others = given.filter(([name]) => !PAGING.has(name));
  const number = (pageNum: number): Parameter => ['pageNum', String(pageNum)];
  const size: Parameter = ['itemsPerPage', String(request.itemsPerPage)];
  const after: Parameter[] = request.after === undefined ? [] : [['after', request.after]];
  const link = (rel: string, parameters: readonly Parameter[]): Link => ({
    href: `${at.url}?${written(parameters)}`,
    rel,
  });

  const links = [link('self', [...others, ...after, number(request.pageNum), size])];
  if (request.pageNum > 1) links.push(link('previous', [...others, size, number(request.pageNum - 1)]));
  if (hasNext(request, page)) {
    const key: Parameter[] = page.next === undefined ? [] : [['after', page.next]];
    links.push(link('next', [...others, size, number(request.pageNum + 1), ...key]));
  }
  return links;
}

/** Whether a page follows. A page of an in-memory list has a count, but no key at which the next page starts. */
function hasNext(request: PageRequest, page: Page<unknown>): boolean {
  if (page.next !== undefined) return true;
  const { itemsPerPage, pageNum, after } = request;
  return (
    after === undefined &&
    page.results.length === itemsPerPage &&
    (page.totalCount ?? 0) > itemsPerPage * pageNum
  );
}

function written(parameters: readonly Parameter[]): string {
  return parameters
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}
