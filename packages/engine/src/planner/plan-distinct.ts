import type { Filter } from '../language/filter/index.ts';
import type { Collection } from '../storage/collection/collection.ts';
import { type Plan, type PlanOptions, plan } from './plan.ts';

/** Plans a distinct query. Without a filter, an index whose first field is `key` provides all values. */
export function planDistinct(
  filter: Filter,
  key: string,
  hint: PlanOptions['hint'],
  collection: Collection | undefined,
  allowed?: PlanOptions['allowed'],
): Plan {
  const planned = plan(filter, { hint, collection, allowed });
  if (allowed !== undefined) return planned;
  const { operator, children = [] } = filter.root;
  const all = operator === '$and' && children.length === 0 && filter.comparison === undefined;
  if (!all || hint !== undefined || collection === undefined) return planned;
  const index = collection.indexes.find(
    (one) =>
      !one.hidden &&
      !one.sparse &&
      one.partialFilter === undefined &&
      one.kind === 'ordinary' &&
      one.answersQueries &&
      one.parts[0]?.path.text === key,
  );
  return index === undefined ? planned : plan(filter, { hint: index.name, collection });
}
