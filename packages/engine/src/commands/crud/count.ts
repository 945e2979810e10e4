import { compileFilter, everything, type Filter } from '../../language/filter/index.ts';
import { Matches, type PlanOptions, plan } from '../../planner/plan.ts';
import { withIndexes } from '../../planner/special-indexes.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { Command } from '../context/command.ts';
import { describingQuery } from '../planning/query-text.ts';
import { comparisonOf } from '../shared/collation.ts';
import { command } from '../shared/define.ts';
import { timelessEnvironment } from '../shared/environment.ts';
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { reading } from '../shared/presets.ts';
import { countFields } from '../shared/query-fields.ts';
import { readView, stage } from '../views/read.ts';
import { findView } from '../views/view.ts';
import { explainCount } from './explain-reads.ts';

const count = command({
  name: 'count',
  ...reading,
  readConcern: 'newest',
  stableApi: true,
  explain: explainCount,
  privileges: onCollection('find'),
  fields: countFields,
  run({ count: name, query, limit, skip = 0, hint, collation }, request, cluster) {
    const { database } = request;
    checkNamespace(database, name);
    const collection = cluster.store.collection(database, name);
    const environment = withIndexes(
      timelessEnvironment(cluster, comparisonOf(collation, collection)),
      collection,
    );
    const describing = <T>(work: () => T) =>
      describingQuery(`${database}.${name}`, () => ({ filter: query }), work);
    const filter = query && describing(() => compileFilter(query, environment));
    const most = limit || Number.POSITIVE_INFINITY;
    if (findView(cluster.store, database, name) !== undefined) {
      const { documents } = readView(
        name,
        stage('$match', query),
        { environment, collation },
        request,
        cluster,
        hint,
      );
      return { n: within([...documents].length, skip, most) };
    }
    const { examined } = cluster.store.running;
    if (collection === undefined) {
      examined.path ??= 'EOF';
      return { n: 0 };
    }
    const all = filter === undefined || query?.isEmpty === true;
    // With a hint, do not use the number of documents in the collection, because the hinted index may not
    // contain all of them.
    if (all && hint === undefined) {
      examined.path ??= 'RECORD_STORE_FAST_COUNT';
      return { n: within(collection.documents, skip, most) };
    }
    const matching = () => countMatches(collection, filter ?? everything, hint, skip + most);
    return { n: within(describing(matching), skip, most) };
  },
});

function within(matches: number, skip: number, most: number): number {
  return Math.min(Math.max(matches - skip, 0), most);
}

function countMatches(
  collection: Collection,
  filter: Filter,
  hint: PlanOptions['hint'],
  enough: number,
): number {
  const { path, exact = false } = plan(filter, { hint, collection });
  if (exact && path.kind === 'index') return collection.countIn(path.index, path.ranges, enough);
  const matches = new Matches(collection, path, filter);
  let found = 0;
  while (found < enough && matches.next() !== undefined) found++;
  return found;
}

export const countCommands: readonly Command[] = [count];
