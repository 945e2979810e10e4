import { bsonTypes } from '../../bson/bson-types.ts';
import { byBytes, type Comparison } from '../../bson/collation/index.ts';
import { entriesOf, RawDocument } from '../../bson/raw.ts';
import { MAX_DOCUMENT_SIZE } from '../../bson/validate.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compileFilter, type Filter } from '../../language/filter/index.ts';
import { distinctScan } from '../../planner/distinct-scan.ts';
import { documentsOf, Matches, type Plan, type PlanOptions, plan } from '../../planner/plan.ts';
import { withIndexes } from '../../planner/special-indexes.ts';
import type { Collection } from '../../storage/collection.ts';
import type { Command } from '../context/command.ts';
import { refuseRejected } from '../diagnostics/query-settings/settings.ts';
import { comparisonOf } from '../shared/collation.ts';
import { command } from '../shared/define.ts';
import { timelessEnvironment } from '../shared/environment.ts';
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { reading } from '../shared/presets.ts';
import { readView, stage } from '../views/read.ts';
import { findView } from '../views/view.ts';
import { hintOf } from './find-and-modify.ts';

export const distinctFields = {
  distinct: 'collection!',
  key: 'string!',
  query: 'object',
  collation: 'object',
  hint: 'value',
  queryHash: 'any',
} as const;

/** Each value at a path once, in the order of values; an array stands for its entries. */
const distinct = command({
  name: 'distinct',
  ...reading,
  transaction: 'statement',
  readConcern: 'snapshot',
  privileges: onCollection('find'),
  fields: distinctFields,
  run({ distinct: name, key, query, collation, hint: hinted }, request, cluster) {
    const { database } = request;
    checkNamespace(database, name);
    refuseRejected(request, cluster);
    if (key.includes('\0')) throw new ServerError(31032, 'Key field cannot contain an embedded null byte');
    const hint = hintOf(hinted);
    const collection = cluster.store.collection(database, name);
    const environment = withIndexes(
      timelessEnvironment(cluster, comparisonOf(collation, collection)),
      collection,
    );
    const filter = compileFilter(query ?? RawDocument.empty, environment);
    const planned = planDistinct(filter, key, hint, collection);
    const { path } = planned;
    const view = findView(cluster.store, database, name);
    if (collection === undefined && view === undefined) return { values: [] };
    const found = new DistinctValues(environment.comparison);
    const scanned = collection && distinctScan(collection, key, planned);
    if (scanned !== undefined) {
      for (const value of scanned) found.add(value);
      return { values: [...found] };
    }
    const documents =
      collection === undefined
        ? readView(name, stage('$match', query), { environment, collation }, request, cluster, hint).documents
        : documentsOf(new Matches(collection, path, filter));
    for (const document of documents) {
      for (const value of valuesAt(document, key)) found.add(value);
    }
    // Asked of a view, the answer is that of a pipeline, which says it with another number.
    return { values: [...found], ...(view === undefined ? {} : { ok: 1 }) };
  },
});

/** Where nothing is asked of documents, an index of the key has all there is to know. */
export function planDistinct(
  filter: Filter,
  key: string,
  hint: PlanOptions['hint'],
  collection: Collection | undefined,
): Plan {
  const planned = plan(filter, { hint, collection });
  const { operator, children = [] } = filter.root;
  const all = operator === '$and' && children.length === 0 && filter.comparison === undefined;
  if (!all || hint !== undefined || collection === undefined) return planned;
  const index = collection.indexes.find(
    (one) =>
      !one.hidden &&
      !one.sparse &&
      !one.partial &&
      one.kind === 'ordinary' &&
      one.answersQueries &&
      one.parts[0]?.path.text === key,
  );
  return index === undefined ? planned : plan(filter, { hint: index.name, collection });
}

/** What the answer may hold besides its values. */
const ENVELOPE_BYTES = 1024;

class DistinctValues {
  readonly #values = new Map<string, Value>();
  #bytes = ENVELOPE_BYTES;
  readonly #comparison: Comparison;

  constructor(comparison: Comparison = byBytes) {
    this.#comparison = comparison;
  }

  add(value: Value): void {
    const key = this.#comparison.keyText(value);
    if (this.#values.has(key)) return;
    this.#bytes += value.end - value.start + String(this.#values.size).length + 2;
    if (this.#bytes > MAX_DOCUMENT_SIZE) throw new ServerError(17217, 'distinct too big, 16mb cap');
    this.#values.set(key, value.detached());
  }

  [Symbol.iterator](): Iterator<Value> {
    return [...this.#values.values()].sort(this.#comparison.compare).values();
  }
}

function valuesAt(document: RawDocument, key: string): Value[] {
  return reach(document, key.split('.')).flatMap((value) =>
    value.type === bsonTypes.array ? entriesOf(value) : [value],
  );
}

/** Goes into documents by name, and into arrays by position and through each of their documents. */
function reach(document: RawDocument, [name = '', ...rest]: readonly string[]): Value[] {
  const value = document.get(name);
  if (value === undefined) return [];
  if (rest.length === 0) return [value];
  const inner = new RawDocument(value.bytes, value.start, value.end - value.start);
  if (value.type === bsonTypes.object) return reach(inner, rest);
  if (value.type !== bsonTypes.array) return [];
  const byPosition = /^\d+$/.test(rest[0] ?? '') ? reach(inner, rest) : [];
  const throughEntries = entriesOf(value)
    .filter(({ type }) => type === bsonTypes.object)
    .flatMap(({ bytes, start, end }) => reach(new RawDocument(bytes, start, end - start), rest));
  return [...byPosition, ...throughEntries];
}

export const distinctCommands: readonly Command[] = [distinct];
