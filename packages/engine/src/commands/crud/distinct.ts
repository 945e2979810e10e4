import { bsonTypes } from '../../bson/bson-types.ts';
import { byBytes, type Comparison, compileCollation } from '../../bson/collation/index.ts';
import { PackedValues } from '../../bson/packed.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import { MAX_DOCUMENT_SIZE } from '../../bson/validate.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { checking } from '../../language/expression/entries.ts';
import { compileFilter } from '../../language/filter/index.ts';
import { pathOf, someWholeAt } from '../../language/paths.ts';
import { distinctScan } from '../../planner/distinct-scan.ts';
import { documentsOf, Matches } from '../../planner/plan.ts';
import { planDistinct } from '../../planner/plan-distinct.ts';
import { withIndexes } from '../../planner/special-indexes.ts';
import type { Statement } from '../../statement/statement.ts';
import type { AccessPath } from '../../storage/model/access-path.ts';
import type { Command } from '../context/command.ts';
import { applyQuerySettings } from '../planning/query-settings.ts';
import { describingQuery, queryOfDistinct } from '../planning/query-text.ts';
import { comparisonOf } from '../shared/collation.ts';
import { command } from '../shared/define.ts';
import { timelessEnvironment } from '../shared/environment.ts';
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { reading } from '../shared/presets.ts';
import { distinctFields } from '../shared/query-fields.ts';
import { readView, stage } from '../views/read.ts';
import { findView } from '../views/view.ts';
import { explainDistinct } from './explain-reads.ts';

/** Returns the distinct values at a path in value order. The elements of an array count as values. */
const distinct = command({
  name: 'distinct',
  ...reading,
  transaction: 'statement',
  readConcern: 'snapshot',
  explain: explainDistinct,
  privileges: onCollection('find'),
  fields: distinctFields,
  run({ distinct: name, key, query, collation, hint }, request, cluster) {
    const { database } = request;
    checkNamespace(database, name);
    if (key.includes('\0')) throw new ServerError(31032, 'Key field cannot contain an embedded null byte');
    const collection = cluster.store.collection(database, name);
    const allowed = applyQuerySettings(request, collection, cluster);
    const environment = withIndexes(
      timelessEnvironment(cluster, comparisonOf(collation, collection)),
      collection,
    );
    const { filter, planned } = describingQuery(
      `${database}.${name}`,
      () => queryOfDistinct(query, key),
      () => {
        const filter = compileFilter(query ?? RawDocument.empty, environment);
        return { filter, planned: planDistinct(filter, key, hint, collection, allowed) };
      },
    );
    const { path } = planned;
    const view = findView(cluster.store, database, name);
    if (collection === undefined && view === undefined) {
      cluster.store.running.examined.path ??= 'EOF';
      return { values: [] };
    }
    const { statement } = environment;
    const found = new DistinctValues(statement, environment.comparison, orderIn(path, key));
    const scanned = collection && distinctScan(collection, key, planned);
    if (scanned !== undefined) {
      for (const value of scanned.values) found.add(value);
      return { values: [...found] };
    }
    const keyPath = pathOf(key);
    const documents =
      collection === undefined
        ? readView(name, stage('$match', query), { environment, collation }, request, cluster, hint).documents
        : documentsOf(new Matches(collection, path, filter), collection.running);
    for (const document of documents) {
      someWholeAt(keyPath, document, (value) => {
        if (value?.type === bsonTypes.array) for (const entry of documentOf(value)) found.add(entry);
        else if (value !== undefined) found.add(value);
        return false;
      });
    }
    const overBuckets = collection?.options.has('timeseries') === true;
    // For a view, the server runs a pipeline. In the reply of a pipeline, `ok` has another number type.
    return { values: [...found], ...(view === undefined && !overBuckets ? {} : { ok: 1 }) };
  },
});

/** The number of bytes that are reserved for the rest of the reply. */
const ENVELOPE_BYTES = 1024;

/**
 * If the query reads an index with a collation, returns the order of this collation. The server reads the values in
 * this order, and returns the first of several equal values. The engine reads its index in binary order. Therefore,
 * where the collation regards values as equal, the engine may read them in another order than the server.
 */
function orderIn(path: AccessPath, key: string): Comparison['compare'] | undefined {
  if (path.kind !== 'index' || path.index.parts[0]?.path.text !== key) return undefined;
  const collation = path.index.spec.document('collation');
  const compare = collation && compileCollation(collation)?.compare;
  const { direction } = path.index.parts[0];
  return compare && ((a, b) => compare(a, b) * direction);
}

class DistinctValues {
  readonly #values = new Map<string, Value>();
  readonly #packed = new PackedValues();
  #bytes = ENVELOPE_BYTES;
  readonly #comparison: Comparison;
  readonly #statement: Statement;

  /**
   * Among equal values, the result contains the first one in this order. If undefined, it contains the one that was
   * read first.
   */
  readonly #order: Comparison['compare'] | undefined;

  constructor(
    statement: Statement,
    comparison: Comparison = byBytes,
    order: Comparison['compare'] | undefined = undefined,
  ) {
    this.#statement = statement;
    this.#comparison = comparison;
    this.#order = order;
  }

  add(value: Value): void {
    this.#statement.check();
    const key = this.#comparison.keyText(value);
    const known = this.#values.get(key);
    if (known !== undefined) {
      if (this.#order !== undefined && this.#order(value, known) < 0) this.#values.set(key, value.detached());
      return;
    }
    this.#bytes += value.end - value.start + String(this.#values.size).length + 2;
    if (this.#bytes > MAX_DOCUMENT_SIZE) throw new ServerError(17217, 'distinct too big, 16mb cap');
    this.#values.set(key, this.#packed.copyOf(value));
  }

  [Symbol.iterator](): Iterator<Value> {
    return [...this.#values.values()].sort(checking(this.#statement, this.#comparison.compare)).values();
  }
}

export const distinctCommands: readonly Command[] = [distinct];
