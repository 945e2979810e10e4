import { fromExtendedJson } from '@portolan/engine/management';
import { parseInOrder } from '@portolan/foundation/ordered-json';
import { type Document, Long, ObjectId } from 'bson';
import { badValue } from '../../api/faults.ts';
import type { Criteria } from './schema.ts';

const DAY_MS = 86_400_000;

/** Returns the filter for the documents to move. Filters match only values of the type that the criteria name. */
export function filterOf(criteria: Criteria, now: Date): Document {
  if (criteria.type === 'CUSTOM') return queryOf(criteria.query ?? '');
  const { dateField = '', dateFormat = 'ISODATE', expireAfterDays = 0 } = criteria;
  const limit = now.getTime() - expireAfterDays * DAY_MS;
  return { [dateField]: { $lt: bounds[dateFormat](limit) } };
}

const bounds: Readonly<Record<NonNullable<Criteria['dateFormat']>, (ms: number) => unknown>> = {
  ISODATE: (ms) => new Date(ms),
  EPOCH_SECONDS: (ms) => Long.fromNumber(Math.floor(ms / 1000)),
  EPOCH_MILLIS: (ms) => Long.fromNumber(ms),
  EPOCH_NANOSECONDS: (ms) => Long.fromBigInt(BigInt(ms) * 1_000_000n),
  // ObjectIds contain no times before 1970; a negative number would be read as a time in the future. Use 0 instead. No
  // ObjectId is below the first one, so the filter then finds no documents.
  OBJECT_ID: (ms) => ObjectId.createFromTime(Math.max(0, Math.floor(ms / 1000))),
};

/**
 * Throws if the criteria lack a field, have a field of the other type, or contain a query that is not a
 * filter.
 */
export function checkCriteria({ type, dateField, expireAfterDays, query, dateFormat }: Criteria): void {
  if (type === 'DATE') {
    if (dateField === undefined) throw badValue('criteria.dateField', 'is required');
    if (!isPath(dateField))
      throw badValue('criteria.dateField', 'must be the path of a field, without empty parts and without $');
    if (expireAfterDays === undefined) throw badValue('criteria.expireAfterDays', 'is required');
    if (query !== undefined) throw badValue('criteria.query', 'is allowed only for the type CUSTOM');
    return;
  }
  if (dateField !== undefined || expireAfterDays !== undefined || dateFormat !== undefined)
    throw badValue('criteria', 'must have only type and query if the type is CUSTOM');
  if (query === undefined) throw badValue('criteria.query', 'is required');
  if (Object.keys(queryOf(query)).length === 0) throw badValue('criteria.query', 'must not be empty');
}

/** Whether a text is the path of a field. In a filter, a name that begins with `$` would be an operator. */
const isPath = (text: string) =>
  text.split('.').every((part) => part !== '' && !part.startsWith('$') && !part.includes('\0'));

function queryOf(text: string): Document {
  try {
    const parsed: unknown = parseInOrder(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return fromExtendedJson(parsed);
  } catch (error) {
    throw badValue('criteria.query', `is not valid Extended JSON: ${(error as Error).message}`);
  }
  throw badValue('criteria.query', 'must be a document in Extended JSON');
}
