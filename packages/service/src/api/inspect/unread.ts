import type { Exchange } from '../exchange.ts';
import { asJsonSchema, objectShape } from '../schema/json-schema.ts';
import { FORMAT_PARAMETERS, PAGE_PARAMETERS } from '../schema/query.ts';

/** Returns the names of the parameters in a request's query that the operation does not have. */
export function unreadParameters({ query, served }: Pick<Exchange, 'query' | 'served'>): readonly string[] {
  const names = Object.keys(query);
  if (served === undefined || names.length === 0) return [];
  const { operation } = served;
  const own = operation.query && objectShape(asJsonSchema(operation.query)).properties;
  const isKnown = (name: string) =>
    FORMAT_PARAMETERS.includes(name) ||
    (operation.list === 'page' && PAGE_PARAMETERS.includes(name)) ||
    own?.has(name) === true;
  return names.filter((name) => !isKnown(name));
}
