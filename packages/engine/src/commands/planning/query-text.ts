import { bsonTypes } from '../../bson/bson-types.ts';
import { describeBriefly } from '../../bson/describe.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, entriesOf, RawDocument } from '../../bson/raw.ts';
import { isNumber, textOf } from '../../bson/value.ts';
import { withQueryText } from '../../errors/planner-error.ts';
import { streamedDouble } from '../../language/expression/coerce.ts';
import { arrayOf } from '../../language/expression/field-path.ts';
import { isNear } from '../../language/geo/near.ts';
import { isComposite } from '../../language/geo/point.ts';
import { conditionsOf, type ShownCondition } from './parsed-query.ts';

/** The parts of a query that the message of an error contains. */
export interface DescribedQuery {
  readonly filter?: RawDocument | undefined;
  readonly sort?: RawDocument | undefined;
  readonly projection?: RawDocument | undefined;
  readonly limit?: number | undefined;
  readonly batchSize?: number | undefined;
}

/** Maximum number of characters of an operand in a message. */
const MAX_OPERAND = 1_000;
/** Maximum number of conditions in a message. */
const MAX_CONDITIONS = 100;

/**
 * Runs work on a query. If the query cannot be planned, adds the query to the message of the error. Some clients read
 * from it which index they have to create, as they do with the server before version 8.3.
 */
export function describingQuery<T>(namespace: string, query: () => DescribedQuery, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw withQueryText(error, () => queryText(namespace, query()));
  }
}

/** The query of a command that changes documents. The server limits it only if it has a sort. */
export function queryOfWrite(filter: RawDocument | undefined, sort?: RawDocument): DescribedQuery {
  return sort === undefined || sort.isEmpty ? { filter } : { filter, sort, limit: 1 };
}

/** The query of a distinct command. It reads only the key, as far as the key contains no index of an array. */
export function queryOfDistinct(filter: RawDocument | undefined, key: string): DescribedQuery {
  const parts = key.split('.');
  const index = parts.findIndex((part) => /^\d+$/.test(part));
  const read = (index < 1 ? parts : parts.slice(0, index)).join('.');
  const projection = parts[0] === '_id' ? { [read]: 1 } : { _id: 0, [read]: 1 };
  return { filter, projection: RawDocument.from(projection) };
}

/** The query at the beginning of a pipeline: its leading `$match` stages, and a `$sort` after them. */
export function queryOfPipeline(stages: readonly RawDocument[]): DescribedQuery {
  const other = stages.findIndex((stage) => !stage.has('$match'));
  const matches = other < 0 ? stages : stages.slice(0, other);
  const filters = matches.flatMap((stage) => stage.get('$match') ?? []);
  const filter = writeDocument((writer) => writer.field('$and', arrayOf(filters)));
  const sort = stages[other]?.get('$sort');
  return {
    filter: filters.length === 0 ? undefined : filter,
    sort: sort?.type === bsonTypes.object ? documentOf(sort) : undefined,
  };
}

function queryText(
  namespace: string,
  { filter, sort, projection, limit, batchSize }: DescribedQuery,
): string {
  const size = batchSize === undefined ? '' : ` batchSize=${batchSize}`;
  const most = limit ? ` limit=${limit}` : '';
  const tree = treeOf(filter ?? RawDocument.empty, '');
  const [order, shown] = [sort, projection].map((document = RawDocument.empty) =>
    describeBriefly(document.toValue(), MAX_OPERAND),
  );
  return `ns=${namespace}${size}${most}Tree: ${tree}Sort: ${order}\nProj: ${shown}\n`;
}

/** Returns the conditions of a filter, each in a line. The conditions within another condition follow it. */
function treeOf(filter: RawDocument, indent: string): string {
  const all = conditionsOf(filter);
  const conditions = all.filter(({ operator }) => !distances.has(operator)).slice(0, MAX_CONDITIONS);
  const [only] = conditions;
  if (only !== undefined && conditions.length === 1) return lineOf(only, all, indent);
  const lines = conditions.map((condition) => lineOf(condition, all, indent + STEP));
  return `${indent}$and\n${lines.join('')}`;
}

const STEP = '    ';
const distances: ReadonlySet<string> = new Set(['$maxDistance', '$minDistance']);

function lineOf(condition: ShownCondition, all: readonly ShownCondition[], indent: string): string {
  const { path, operator, operand } = condition;
  if (isNear(operator)) return `${indent}${nearText(condition, all)}\n`;
  if (operator === '$text') return `${indent}${searchText(documentOf(operand))}\n`;
  if (operator !== '$or' && operator !== '$nor')
    return `${indent}${path} ${operator} ${describeBriefly(operand, MAX_OPERAND)}\n`;
  const children = entriesOf(operand).slice(0, MAX_CONDITIONS);
  return `${indent}${operator}\n${children.map((child) => treeOf(documentOf(child), indent + STEP)).join('')}`;
}

/** `$maxDistance` is next to the operator if the point is a pair of coordinates, and otherwise in its operand. */
function nearText({ path, operator, operand }: ShownCondition, all: readonly ShownCondition[]): string {
  const beside = all.find((other) => other.path === path && other.operator === '$maxDistance')?.operand;
  const distance = beside ?? (isComposite(operand) ? documentOf(operand).get('$maxDistance') : undefined);
  const most = distance !== undefined && isNumber(distance) ? toNumber(distance) : Number.MAX_VALUE;
  const onSphere = operator === '$nearSphere' ? 1 : 0;
  return `GEONEAR  field=${path} maxdist=${streamedDouble(most)} isNearSphere=${onSphere}`;
}

function searchText(search: RawDocument): string {
  const text = (name: string, otherwise: string) => {
    const value = search.get(name);
    return value?.type === bsonTypes.string ? textOf(value).slice(0, MAX_OPERAND) : otherwise;
  };
  const flag = (name: string) => (search.bool(name) ? 1 : 0);
  const flags = `caseSensitive=${flag('$caseSensitive')}, diacriticSensitive=${flag('$diacriticSensitive')}`;
  return `TEXT : query=${text('$search', '')}, language=${text('$language', 'english')}, ${flags}, tag=NULL`;
}
