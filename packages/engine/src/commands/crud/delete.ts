import type { Environment } from '../../language/environment.ts';
import { compileFilter } from '../../language/filter/index.ts';
import { Matches, plan } from '../../planner/plan.ts';
import { withIndexes } from '../../planner/special-indexes.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { Command } from '../context/command.ts';
import { describingQuery, queryOfWrite } from '../planning/query-text.ts';
import { comparingBy, comparisonOf } from '../shared/collation.ts';
import { command } from '../shared/define.ts';
import { environmentOf } from '../shared/environment.ts';
import { listOf } from '../shared/field-builders.ts';
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { writing } from '../shared/presets.ts';
import { batchReply, checkSingle, checkStatements, runStatements } from '../shared/statements.ts';
import { collectionIn } from '../views/view.ts';
import { type DeleteStatement, deleteReader } from './delete-statement.ts';
import { explainDelete } from './explain-writes.ts';
import { checkTarget, targetFields } from './write-target.ts';

const remove = command({
  name: 'delete',
  ...writing,
  operation: 'remove',
  transaction: 'statement',
  retryable: true,
  stableApi: true,
  audit: 'none',
  explain: explainDelete,
  privileges: onCollection('remove'),
  fields: {
    delete: 'collection!',
    deletes: 'documents!',
    ordered: 'bool',
    let: 'object',
    stmtId: 'int32',
    stmtIds: listOf('int32'),
    bypassDocumentValidation: 'truth',
    ...targetFields,
  },
  run({ delete: name, deletes, ordered = true, let: variables, collectionUUID, ...ids }, request, cluster) {
    const { store } = cluster;
    const environment = environmentOf(variables, cluster);
    const { database } = request;
    checkNamespace(database, name);
    checkTarget(name, collectionUUID, request, cluster);
    checkStatements(deletes.length, ids);
    const statements = deletes.map((document) => deleteReader.read(document));
    const collection = collectionIn(store, database, name);
    let n = 0;
    const removeOne = (statement: DeleteStatement) => {
      checkSingle(request, statement.limit === 0, 'limit=0');
      return { n: removeMatches(collection, statement, environment) };
    };
    const writeErrors = runStatements(request, cluster, statements, ordered, removeOne, (outcome) => {
      n += outcome.n;
    });
    return batchReply(request, { n, ...writeErrors });
  },
});

/** Removes matching documents and returns their number. */
export function removeMatches(
  collection: Collection | undefined,
  statement: DeleteStatement,
  environment: Environment,
): number {
  const comparison = comparisonOf(statement.collation, collection);
  const { filter, path } = describingQuery(
    collection?.namespace ?? '',
    () => queryOfWrite(statement.q),
    () => {
      const filter = compileFilter(
        statement.q,
        withIndexes(comparingBy(environment, comparison), collection),
      );
      return { filter, path: plan(filter, { hint: statement.hint, collection }).path };
    },
  );
  if (collection === undefined) return 0;
  const most = statement.limit === 1 ? 1 : Number.POSITIVE_INFINITY;
  const matches = new Matches(collection, path, filter);
  let removed = 0;
  for (let record = matches.next(); record !== undefined; record = matches.next()) {
    collection.commitPart();
    collection.remove(record);
    removed++;
    if (removed === most) break;
  }
  return removed;
}

export const deleteCommands: readonly Command[] = [remove];
