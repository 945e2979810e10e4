import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { releasing } from '../../bson/turns.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../../language/environment.ts';
import { type Condition, compileFilter } from '../../language/filter/index.ts';
import { cannotCreate } from './errors.ts';

/** Operators that `partialFilterExpression` may use. */
const allowed: ReadonlySet<string> = new Set([
  '$and',
  '$or',
  '$eq',
  '$in',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$exists',
  '$type',
  '$geoWithin',
  '$within',
  '$geoIntersects',
]);

const MAX_DEPTH = 4;

/** Throws if the filter is not allowed as `partialFilterExpression`. */
export function checkPartialFilter(filter: RawDocument, environment?: Environment): void {
  rejectForbidden(filter);
  releasing(() => check(compileFilter(filter, environment).root));
  if (depthOf(filter) > MAX_DEPTH) {
    throw cannotCreate(`partialFilterExpression depth may not exceed ${MAX_DEPTH}`);
  }
}

/** Levels of the conditions of a filter. A compiled filter lacks those of `$and` and `$or` with a single condition. */
function depthOf(filter: RawDocument): number {
  const depths: number[] = [];
  for (const element of filter) {
    if (element.name === '$and' || element.name === '$or') {
      const depth = entriesOf(element).reduce((most, item) => Math.max(most, depthOf(documentOf(item))), 0);
      depths.push(depth + 1);
    } else if (element.name !== '$comment') {
      depths.push(...depthsOfField(element));
    }
  }
  const most = depths.reduce((a, b) => Math.max(a, b), 0);
  return depths.length === 1 ? most : most + 1;
}

/** The levels of each condition on a field. */
function depthsOfField(operand: Value): number[] {
  if (operand.type !== bsonTypes.object) return [1];
  const operators = [...documentOf(operand)];
  if (!operators[0]?.name.startsWith('$')) return [1];
  return operators.map(({ name }) => (name === '$all' ? 2 : 1));
}

/** Rejects operators with errors of their own, before the filter is parsed. */
function rejectForbidden(filter: RawDocument): void {
  for (const { name } of filter) {
    if (name === '$expr') {
      throw new ServerError('QueryFeatureNotAllowed', '$expr is not allowed in this context');
    }
    if (name === '$where' || name === '$text') {
      throw new ServerError('BadValue', `${name} is not allowed in this context`);
    }
  }
}

function check({ operator, children = [] }: Condition): void {
  if (!allowed.has(operator)) {
    throw cannotCreate(`Expression not supported in partial index: ${operator}`);
  }
  for (const child of children) check(child);
}
