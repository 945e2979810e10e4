import { createHash } from 'node:crypto';
import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, RawDocument } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { argumentShape, stageShape } from '../../planner/explain-shape.ts';
import { queryShapes } from '../shared/query-shapes.ts';

/**
 * Returns the hash of a query's shape in 64 hexadecimal digits. It does not depend on the values in the query. Returns
 * undefined for a command to which query settings cannot apply.
 */
export function commandShapeHash(command: string, database: string, body: RawDocument): string | undefined {
  const shape = queryShapes.get(command);
  if (shape === undefined) return undefined;
  const { shaped, literal } = shape;
  const hash = createHash('sha256').update(`${command} ${database}.${nameIn(body, command)}`);
  for (const name of shaped) hash.update(`\n${argumentShape(name, documentIn(body.get(name)))}`);
  for (const name of literal) {
    const value = body.get(name);
    if (value !== undefined) hash.update(value.bytes.subarray(value.start, value.end));
    hash.update('\n');
  }
  for (const name of ['skip', 'limit']) if (body.has(name)) hash.update(name);
  const pipeline = body.get('pipeline');
  const stages = pipeline?.type === bsonTypes.array ? entriesOf(pipeline) : [];
  for (const stage of stages) hash.update(`\n${stageShape(documentIn(stage))}`);
  return hash.digest('hex').toUpperCase();
}

function nameIn(body: RawDocument, command: string): string {
  const value = body.get(command);
  return value?.type === bsonTypes.string ? textOf(value) : '';
}

function documentIn(value: Value | undefined): RawDocument {
  return value?.type === bsonTypes.object ? documentOf(value) : RawDocument.empty;
}
