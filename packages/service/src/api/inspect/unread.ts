import type { Exchange } from '../exchange.ts';
import { asJsonSchema, objectShape } from '../schema/json-schema.ts';
import { FORMAT_PARAMETERS, PAGE_PARAMETERS } from '../schema/query.ts';

/** Returns the names of the parameters in a request's query that the operation does not have. */
export function unreadParameters({ query, served }: Pick<Exchange, 'query' | 'served'>): readonly string[] {
  if (served === undefined) return [];
  const { operation } = served;
  const isKnown = (name: string) =>
    FORMAT_PARAMETERS.includes(name) ||
    (operation.list === 'page' && PAGE_PARAMETERS.includes(name)) ||
    (operation.query !== undefined && objectShape(asJsonSchema(operation.query)).properties.has(name));
  return Object.keys(query).filter((name) => !isKnown(name));
}
