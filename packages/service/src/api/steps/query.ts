import type { PageRequest } from '../../store/page.ts';
import type { Exchange } from '../exchange.ts';
import type { Route } from '../routes/route.ts';
import { checkFormat, readPage } from '../schema/query.ts';

/** Reads query parameters: the common ones, those of lists, and the operation's own. Throws 400. */
export async function readQuery(
  route: Route,
  { query }: Exchange,
): Promise<{ query: Readonly<Record<string, unknown>>; page: PageRequest }> {
  checkFormat(query);
  const page = readPage(route.operation.list === 'page' ? query : {});
  return { query: await route.readQuery(query), page };
}
