import type { Comparison } from '../bson/collation/index.ts';
import { RawDocument } from '../bson/raw.ts';
import { type Condition, compileFilter } from '../language/filter/index.ts';
import { shapeOf } from './value-shape.ts';

/**
 * Returns the shape of a query as text: its fields, operators, sort, projection and collation, without the values of
 * the filter.
 */
export function queryShape(
  root: Condition,
  sort: RawDocument | undefined,
  projection: RawDocument | undefined,
  comparison: Pick<Comparison, 'collation'> | undefined,
): string {
  const named = (document: RawDocument | undefined) =>
    JSON.stringify((document ?? RawDocument.empty).toObject());
  const collation = comparison?.collation;
  const language = collation === undefined ? '' : JSON.stringify(collation);
  return [conditionShape(root), named(sort), shapeOf(projection ?? RawDocument.empty), language].join('|');
}

function conditionShape({ operator, children = [], leaf }: Condition): string {
  const path = leaf?.path.text ?? '';
  if (children.length === 0) return `${path}:${operator}`;
  return `${operator}(${children.map(conditionShape).sort().join(',')})`;
}

export function rootOf(query: RawDocument): Condition {
  return compileFilter(query).root;
}
