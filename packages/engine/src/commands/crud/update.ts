import type { Privilege } from '../../access/privilege.ts';
import type { Comparison } from '../../bson/collation/index.ts';
import { RawDocument } from '../../bson/raw.ts';
import { nullValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../../language/environment.ts';
import { compileFilter, type Filter } from '../../language/filter/index.ts';
import { compileSort } from '../../language/sort.ts';
import { compileUpdate, type Update } from '../../language/update/index.ts';
import { idLookupPath } from '../../planner/id-lookup.ts';
import { Matches, plan } from '../../planner/plan.ts';
import { withIndexes } from '../../planner/special-indexes.ts';
import type { Statement } from '../../statement/statement.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { AccessPath } from '../../storage/model/access-path.ts';
import type { StoredRecord } from '../../storage/records/page.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { describingQuery, queryOfWrite } from '../planning/query-text.ts';
import { comparingBy, comparisonOf } from '../shared/collation.ts';
import { command } from '../shared/define.ts';
import { environmentOf } from '../shared/environment.ts';
import { listOf } from '../shared/field-builders.ts';
import { bypassing, checkNamespace, onCollection } from '../shared/namespace.ts';
import { writing } from '../shared/presets.ts';
import { batchReply, checkSingle, checkStatements, runStatements } from '../shared/statements.ts';
import { collectionToWrite } from '../views/collection-to-write.ts';
import { collectionIn } from '../views/view.ts';
import { explainUpdate } from './explain-writes.ts';
import { store } from './insert.ts';
import { checkTimeseriesUpdate } from './timeseries-update.ts';
import { wholeWithTimestamps } from './timestamps.ts';
import {
  checkStages,
  checkStatement,
  type UpdateStatement,
  updateOptions,
  updateReader,
} from './update-statement.ts';
import { checkReplace } from './validation/rules.ts';
import { checkTarget, targetFields } from './write-target.ts';

const update = command({
  name: 'update',
  ...writing,
  operation: 'update',
  transaction: 'statement',
  retryable: true,
  stableApi: true,
  audit: 'none',
  explain: explainUpdate,
  privileges: privilegesToUpdate,
  fields: {
    update: 'collection!',
    updates: 'documents!',
    ordered: 'bool',
    let: 'object',
    bypassDocumentValidation: 'truth',
    bypassEmptyTsReplacement: 'bool',
    stmtId: 'int32',
    stmtIds: listOf('int32'),
    ...targetFields,
  },
  run({ update: name, updates, ordered = true, let: variables, collectionUUID, ...ids }, request, cluster) {
    const environment = environmentOf(variables, cluster);
    checkNamespace(request.database, name);
    checkTarget(name, collectionUUID, request, cluster);
    checkStatements(updates.length, ids);
    const statements = updates.map((document) => updateReader.read(document));
    for (const statement of statements) {
      checkStatement(statement);
      checkStages(statement);
    }
    const sum = { n: 0, nModified: 0 };
    const upserted: object[] = [];
    const updateOne = (statement: UpdateStatement) => {
      checkSingle(request, statement.multi === true, 'multi=true');
      const { matched: n, ...outcome } = runUpdate(name, statement, request, cluster, environment);
      return { n, ...outcome };
    };
    const writeErrors = runStatements(request, cluster, statements, ordered, updateOne, (outcome, index) => {
      sum.n += outcome.n;
      sum.nModified += outcome.modified ?? 0;
      if (outcome.upserted !== undefined) upserted.push({ index, _id: outcome.upserted });
    });
    return batchReply(request, { ...sum, ...(upserted.length > 0 ? { upserted } : {}), ...writeErrors });
  },
});

function privilegesToUpdate(request: CommandRequest): readonly Privilege[] {
  const statements = request.sequences.get('updates') ?? request.body.documents('updates') ?? [];
  const upserts = statements.some((statement) => statement.bool('upsert') === true);
  return onCollection('update', ...(upserts ? ['insert'] : []), ...bypassing(request))(request);
}

export interface UpdateOutcome {
  readonly matched: number;
  readonly modified: number;
  /** The `_id` of the upserted document. */
  readonly upserted?: Value;
}

export function runUpdate(
  name: string,
  statement: UpdateStatement,
  request: CommandRequest,
  cluster: ClusterContext,
  environment: Environment,
): UpdateOutcome {
  const collection = collectionIn(cluster.store, request.database, name);
  if (collection !== undefined) checkTimeseriesUpdate(collection, statement);
  const comparison = comparisonOf(statement.collation, collection);
  const collated = withIndexes(comparingBy(environment, comparison), collection);
  const path = collection && pathToOne(statement, collection, comparison);
  const describing = <T>(work: () => T) =>
    describingQuery(`${request.database}.${name}`, () => queryOfWrite(statement.q, statement.sort), work);
  const ofMany = path === undefined ? describing(() => compileFilter(statement.q, collated)) : undefined;
  const change = compileUpdate(
    wholeWithTimestamps(statement.u, request, cluster),
    updateOptions(statement, collated, cluster),
  );
  const check: CheckChange = (into, before, after) => checkReplace(into, before, after, request, cluster);
  const one = path && collection?.scan(path).next();
  if (collection !== undefined && one !== undefined) {
    return { matched: 1, modified: apply(collection, one, change, undefined, check) };
  }
  const filter = ofMany ?? compileFilter(statement.q, collated);
  if (statement.multi && change.kind === 'replacement') {
    throw new ServerError('FailedToParse', 'multi update is not supported for replacement-style update');
  }
  const outcome = describing(() => updateMatches(collection, statement, filter, change, check));
  if (outcome.matched > 0 || !statement.upsert) return outcome;
  const document = new RawDocument(change.insertFrom(filter, cluster.random.newId));
  store(collectionToWrite(request, name, cluster), document, request, cluster);
  return { matched: 1, modified: 0, upserted: document.get('_id') ?? nullValue };
}

/** Returns the access path if the statement changes at most one document and selects this document only by `_id`. */
function pathToOne(
  { q, multi, sort, hint }: UpdateStatement,
  collection: Collection,
  comparison: Comparison | undefined,
): AccessPath | undefined {
  if (multi || sort !== undefined || hint !== undefined) return undefined;
  return idLookupPath(q, collection, comparison);
}

/** Throws if the collection rejects the updated document. */
type CheckChange = (collection: Collection, before: RawDocument, after: RawDocument) => void;

function updateMatches(
  collection: Collection | undefined,
  { hint, multi, sort }: UpdateStatement,
  filter: Filter,
  change: Update,
  check: CheckChange,
): UpdateOutcome {
  const { path, sorted } = plan(filter, { hint, sort, collection });
  if (collection === undefined) return { matched: 0, modified: 0 };
  const matches = new Matches(collection, path, filter);
  if (!multi) {
    const record = firstMatch(matches, sorted ? undefined : sort, filter, collection.running);
    if (record === undefined) return { matched: 0, modified: 0 };
    return { matched: 1, modified: apply(collection, record, change, filter, check) };
  }
  let matched = 0;
  let modified = 0;
  for (let record = matches.next(); record !== undefined; record = matches.next()) {
    collection.commitPart();
    matched++;
    modified += apply(collection, record, change, filter, check);
  }
  return { matched, modified };
}

function apply(
  collection: Collection,
  record: StoredRecord,
  change: Update,
  filter: Filter | undefined,
  check: CheckChange,
): number {
  const { bytes, modified, difference } = change.apply(record.doc, filter);
  if (!modified) return 0;
  const after = new RawDocument(bytes);
  check(collection, record.doc, after);
  collection.replace(record, after, difference?.());
  return 1;
}

/** Returns the first match in sort order. Without a sort, `$near` sorts by distance. */
export function firstMatch(
  matches: Matches,
  spec: RawDocument | undefined,
  { near, comparison }: Filter,
  statement: Statement,
): StoredRecord | undefined {
  if (spec !== undefined) {
    const sort = compileSort(spec, { comparison, statement });
    return leastOf(matches, (a, b) => sort.compare(a.doc, b.doc));
  }
  if (near === undefined) return matches.next();
  const distance = ({ doc }: StoredRecord) => near.distance(doc) ?? 0;
  return leastOf(matches, (a, b) => distance(a) - distance(b));
}

function leastOf(
  matches: Matches,
  compare: (a: StoredRecord, b: StoredRecord) => number,
): StoredRecord | undefined {
  let first: StoredRecord | undefined;
  for (let record = matches.next(); record !== undefined; record = matches.next()) {
    if (first === undefined || compare(record, first) < 0) first = record;
  }
  return first;
}

export const updateCommands: readonly Command[] = [update];
