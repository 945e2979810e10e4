import { bsonTypes } from '../../../bson/bson-types.ts';
import { writeDocument } from '../../../bson/document-writer.ts';
import { documentOf, entriesOf, RawDocument } from '../../../bson/raw.ts';
import type { Element, Value } from '../../../bson/value.ts';
import type { Environment } from '../../../language/environment.ts';
import { compileMatch } from '../../../language/pipeline/match.ts';
import type { RecentEntry } from '../../../storage/oplog/recent.ts';

/** Returns false if a stream certainly returns no event for the change of a document. */
export type Selection = (change: Pick<RecentEntry, 'op' | 'database' | 'collection'>) => boolean;

/** The fields of an event that are known before its entry is read. */
const KNOWN: ReadonlySet<string> = new Set(['ns', 'ns.db', 'ns.coll', 'operationType']);
/** A selection is also used outside of statements, so it takes only operators that are fast. */
const FAST: ReadonlySet<string> = new Set(['$eq', '$ne', '$in', '$nin']);
const SLOW_VALUES: ReadonlySet<number> = new Set([bsonTypes.regex, bsonTypes.array]);
const LOGICAL: ReadonlySet<string> = new Set(['$and', '$or', '$nor']);
/** The types of the events of a kind of change. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  i: ['insert'],
  u: ['update', 'replace'],
  d: ['delete'],
};
/** Maximum number of results to store. */
const MAX_STORED = 1_000;

/**
 * Returns the selection of a pipeline: the conditions on the namespace and the type of events in the filters with which
 * the pipeline begins. With them, a stream can skip changes of other collections without reading their entries.
 */
export function selectionOf(stages: readonly RawDocument[], environment?: Environment): Selection {
  const conditions: Value[] = [];
  for (const stage of stages) {
    const filter = stage.document('$match');
    if (filter === undefined) break;
    conditions.push(...conditionsOf(filter));
  }
  if (conditions.length === 0) return () => true;
  const filter = writeDocument((writer) => {
    writer.head(bsonTypes.array, '$and');
    const start = writer.begin();
    for (const [i, condition] of conditions.entries()) writer.field(String(i), condition);
    writer.end(start);
  });
  const { matches } = compileMatch(filter.toValue(), environment);
  const stored = new Map<string, boolean>();
  return ({ op, database, collection }) => {
    const types = TYPES[op];
    if (types === undefined || collection === undefined) return true;
    const key = `${op} ${database}.${collection}`;
    let known = stored.get(key);
    if (known === undefined) {
      const ns = { db: database, coll: collection };
      known = types.some((operationType) => matches(RawDocument.from({ ns, operationType })));
      if (stored.size >= MAX_STORED) stored.clear();
      stored.set(key, known);
    }
    return known;
  };
}

/** Returns the conditions of a filter that read only known fields. All of them must hold if the filter matches. */
function conditionsOf(filter: RawDocument): Value[] {
  return [...filter].flatMap((element) => {
    if (element.name === '$and' && element.type === bsonTypes.array)
      return entriesOf(element).flatMap((entry) =>
        entry.type === bsonTypes.object ? conditionsOf(documentOf(entry)) : [],
      );
    return isKnown(element) ? [writeDocument((writer) => writer.element(element)).toValue()] : [];
  });
}

function isKnown(element: Element): boolean {
  const { name, type } = element;
  if (LOGICAL.has(name) && type === bsonTypes.array)
    return entriesOf(element).every(
      (entry) => entry.type === bsonTypes.object && [...documentOf(entry)].every(isKnown),
    );
  return KNOWN.has(name) && isFast(element);
}

function isFast(condition: Value): boolean {
  if (condition.type !== bsonTypes.object) return !SLOW_VALUES.has(condition.type);
  return [...documentOf(condition)].every((operator) => {
    if (!operator.name.startsWith('$')) return true;
    if (!FAST.has(operator.name)) return false;
    const values = operator.type === bsonTypes.array ? entriesOf(operator) : [operator];
    return values.every(({ type }) => type === bsonTypes.string);
  });
}
