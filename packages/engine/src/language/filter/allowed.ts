import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import type { Element } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { isNear } from '../geo/near.ts';
import { topLevelOperatorTable } from './compile.ts';
import { nearNotAllowed } from './spatial.ts';

/** Operators whose operands are not searched for conditions. */
const opaque = new Set(['$expr', '$jsonSchema', '$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin']);

const logical = new Set(['$and', '$or', '$nor']);

/** Operators that apply to whole documents rather than array entries. */
const ofDocuments = new Set(['$expr', '$jsonSchema']);

/**
 * Throws for conditions that only the query of a collection may contain. If `plain` is true, also throws for
 * expressions and schemas. Must run before any other validation, because its errors take precedence.
 */
export function checkAllowed(filter: RawDocument, plain = false): void {
  for (const element of filter) checkElement(element, plain);
}

function checkElement(element: Element, plain: boolean): void {
  const { name } = element;
  if (isNear(name)) throw nearNotAllowed();
  if (topLevelOperatorTable.get(name)?.inValidator === false) {
    throw new ServerError('BadValue', `${name} is not allowed in this context`);
  }
  if (plain && ofDocuments.has(name)) {
    throw new ServerError('QueryFeatureNotAllowed', `${name} is not allowed in this context`);
  }
  if (opaque.has(name) || (element.type !== bsonTypes.object && element.type !== bsonTypes.array)) return;
  for (const inner of documentOf(element)) {
    if (logical.has(name) && inner.type === bsonTypes.object) checkAllowed(documentOf(inner), plain);
    else checkElement(inner, false);
  }
}
