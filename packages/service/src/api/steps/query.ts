import type { PlainObject } from '@portolan/foundation/plain-object';
import type { PageRequest } from '../../store/page.ts';
import type { Exchange } from '../exchange.ts';
import type { Route } from '../routes/route.ts';
import { checkFormat, type RawQuery, readPage } from '../schema/query.ts';

/** Reads the query parameters: the common parameters, those of lists, and those of the operation. Throws 400. */
export async function readQuery(
  route: Route,
  { query: sent, surface }: Exchange,
): Promise<{ query: PlainObject; page: PageRequest }> {
  const isLenient = surface?.dialect.changes?.isLenient === true;
  const query = isLenient ? withoutEmpty(sent) : sent;
  checkFormat(query, isLenient);
  const page = readPage(route.operation.list === 'page' ? query : {}, isLenient);
  return { query: await route.readQuery(query), page };
}

/**
 * Removes parameters with an empty value, and the page number 0. Clients of lenient dialects send these for unset
 * parameters.
 */
function withoutEmpty(query: RawQuery): RawQuery {
  const given = Object.entries(query).filter(
    ([name, value]) => value !== '' && !(name === 'pageNum' && value === '0'),
  );
  return Object.fromEntries(given);
}
