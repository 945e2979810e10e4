import { bsonTypes } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { isNumber, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type Statement, unwatched } from '../../statement/statement.ts';
import { pathOf, someWholeAt } from '../paths.ts';
import { rangeOf } from './nearest.ts';
import { isComposite, shownDocument } from './point.ts';
import { readStored } from './stored.ts';

/**
 * Checks that a 2d or 2dsphere index can include a document. `spec` has the format of `listIndexes`. Throws 16755 for
 * an invalid geometry, and 13026, 13027, 13067, 13068 or 13654 for invalid pairs.
 */
export function checkGeoKeys(spec: RawDocument, doc: RawDocument, statement: Statement = unwatched): void {
  for (const part of spec.document('key') ?? []) {
    if (part.type !== bsonTypes.string) continue;
    const values: Value[] = [];
    someWholeAt(pathOf(part.name), doc, (value) => {
      if (value !== undefined) values.push(value);
      return false;
    });
    const kind = textOf(part);
    if (kind === '2dsphere') checkSphere(values, doc, statement);
    else if (kind === '2d') for (const value of values) checkPairs(value, spec);
  }
}

/** True if a geospatial index contains a value. A field that is null or empty counts as missing. */
export function isGeometry(value: Value | undefined): boolean {
  return value !== undefined && isComposite(value) && !documentOf(value).isEmpty;
}

/** Returns whether a field counts as missing: if its value is null, undefined, `{}` or `[]`. */
function isAbsent(value: Value): boolean {
  if (value.type === bsonTypes.null || value.type === bsonTypes.undefined) return true;
  return isComposite(value) && documentOf(value).isEmpty;
}

function checkSphere(values: readonly Value[], doc: RawDocument, statement: Statement): void {
  const [only] = values;
  if (values.length === 1 && only !== undefined && isAbsent(only)) return;
  for (const value of values) {
    try {
      const { shapes } = readStored(value, statement);
      if (shapes === undefined) throw new ServerError('BadValue', 'longitude/latitude is out of bounds');
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      throw new ServerError(16755, `Can't extract geo keys: ${shownDocument(doc)}  ${error.message}`);
    }
  }
}

/** Checks a coordinate pair, or an array of pairs. */
function checkPairs(value: Value, spec: RawDocument): void {
  if (!isComposite(value) || documentOf(value).isEmpty) return;
  const first = documentOf(value).first();
  if (first !== undefined && isNumber(first)) {
    checkPair(value, spec);
    return;
  }
  if (value.type === bsonTypes.object && documentOf(value).has('coordinates')) {
    // A 2d index rejects GeoJSON points.
    throw new ServerError(13026, "geo values must be 'legacy coordinate pairs' for 2d indexes");
  }
  for (const entry of entriesOf(value)) {
    if (!isComposite(entry)) {
      throw new ServerError(13654, 'location object expected, location array not in correct format');
    }
    checkPair(entry, spec);
  }
}

function checkPair(value: Value, spec: RawDocument): void {
  const [x, y] = entriesOf(value);
  if (x === undefined) throw new ServerError(13067, 'geo field is empty');
  if (y === undefined) throw new ServerError(13068, 'geo field only has 1 element');
  if (!isNumber(x) || !isNumber(y)) {
    throw new ServerError(13026, "geo values must be 'legacy coordinate pairs' for 2d indexes");
  }
  const { min, max } = rangeOf(spec);
  for (const coordinate of [toNumber(x), toNumber(y)]) {
    if (coordinate >= min && coordinate <= max) continue;
    throw new ServerError(13027, `point not in interval of [ ${min}, ${max} ]`);
  }
}
