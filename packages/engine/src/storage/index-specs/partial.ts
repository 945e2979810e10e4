import type { RawDocument } from '../../bson/raw.ts';
import { releasing } from '../../bson/turns.ts';
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

/** Throws if the filter is not allowed as `partialFilterExpression`. */
export function checkPartialFilter(filter: RawDocument, environment?: Environment): void {
  rejectForbidden(filter);
  releasing(() => check(compileFilter(filter, environment).root));
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
