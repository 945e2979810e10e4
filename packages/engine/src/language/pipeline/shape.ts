import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { integerValue } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compileProjection } from '../projection/index.ts';
import type { Stage, StageContext, StageTable } from './stage.ts';
import { changesEach, groupsInput } from './stage-facts.ts';

/** Stages that change the shape of documents. */
export const shapeStages: StageTable = {
  $project: {
    compile: compileProject,
    ...changesEach,
    shapesPlan: true,
  },
  $count: {
    compile: compileCount,
    ...groupsInput,
  },
};

function compileProject(spec: Value, { environment }: StageContext): Stage {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(15969, '$project specification must be an object');
  }
  const doc = documentOf(spec);
  if (doc.isEmpty) {
    throw new ServerError(
      51272,
      'Invalid $project :: caused by :: projection specification must have at least one field',
    );
  }
  const projection = compileProjection(doc, environment);
  return function* (docs) {
    for (const input of docs) yield projection.apply(input);
  };
}

function compileCount(spec: Value): Stage {
  const name = countName(spec);
  return function* (docs: Iterable<RawDocument>) {
    let count = 0n;
    for (const _ of docs) count++;
    if (count > 0n) yield writeDocument((writer) => writer.field(name, integerValue(count)));
  };
}

function countName(spec: Value): string {
  if (spec.type !== bsonTypes.string)
    throw new ServerError(40156, 'the count field must be a non-empty string');
  const name = textOf(spec);
  if (name === '') throw new ServerError(40157, 'the count field must be a non-empty string');
  if (name.startsWith('$')) throw new ServerError(40158, 'the count field cannot be a $-prefixed path');
  if (name.includes('\0')) throw new ServerError(40159, 'the count field cannot contain a null byte');
  if (name.includes('.')) throw new ServerError(40160, "the count field cannot contain '.'");
  if (name === '_id') throw new ServerError(9039800, "the count field cannot be '_id'");
  return name;
}
