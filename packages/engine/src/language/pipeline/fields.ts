import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { falseValue, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compileExpression } from '../expression/compile.ts';
import { checkFieldPath } from '../field-path.ts';
import { compileAddition } from '../projection/add.ts';
import { compileProjection } from '../projection/index.ts';
import type { CompileStage, Stage, StageContext, StageTable } from './stage.ts';
import { changesEach } from './stage-facts.ts';

export const compileAddFields = adding('$addFields');

/** Stages that set or remove fields, or replace a document by a part of itself. */
export const fieldStages: StageTable = {
  $addFields: {
    compile: compileAddFields,
    ...changesEach,
  },
  $set: {
    compile: adding('$set'),
    ...changesEach,
  },
  $unset: {
    compile: compileUnset,
    ...changesEach,
  },
  $replaceRoot: {
    compile: (spec, context) => replacing(newRoot(spec), context, "'newRoot' expression "),
    ...changesEach,
    shapesPlan: true,
  },
  $replaceWith: {
    compile: (spec, context) => replacing(spec, context, "'replacement document' "),
    ...changesEach,
  },
};

function each(change: (doc: RawDocument) => RawDocument): Stage {
  return function* (docs) {
    for (const doc of docs) yield change(doc);
  };
}

function adding(name: string): CompileStage {
  return (spec, { environment }) => {
    if (spec.type !== bsonTypes.object) {
      throw new ServerError(
        40272,
        `${name} specification stage must be an object, got ${typeName(spec.type)}`,
      );
    }
    // Unlike `$project`, an empty `$addFields` is valid and changes nothing.
    if (documentOf(spec).isEmpty) return (docs) => docs;
    return each(compileAddition(documentOf(spec), environment));
  };
}

function compileUnset(spec: Value, { environment }: StageContext): Stage {
  if (spec.type !== bsonTypes.string && spec.type !== bsonTypes.array) {
    throw new ServerError(31002, '$unset specification must be a string or an array');
  }
  const names = spec.type === bsonTypes.array ? entriesOf(spec) : [spec];
  if (names.length === 0) {
    throw new ServerError(31119, '$unset specification must be a string or an array with at least one field');
  }
  const paths = names.map(nameOf);
  // Check this first, since this error takes precedence over every other error in the paths.
  if (paths.some((path) => path.includes('\0'))) {
    throw new ServerError(9527900, '$unset specification must not contain null bytes');
  }
  for (const path of paths) {
    environment.statement.check();
    checkFieldPath(path);
  }
  const excluded = writeDocument((writer) => {
    for (const path of paths) writer.field(path, falseValue);
  });
  const projection = compileProjection(excluded, environment);
  return each((doc) => projection.apply(doc));
}

function nameOf(name: Value): string {
  if (name.type !== bsonTypes.string) {
    throw new ServerError(
      31120,
      '$unset specification must be a string or an array containing only string values',
    );
  }
  return textOf(name);
}

function newRoot(spec: Value): Value {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(
      40229,
      `expected an object as specification for $replaceRoot stage, got ${typeName(spec.type)}`,
    );
  }
  let found: Value | undefined;
  for (const element of documentOf(spec)) {
    if (element.name !== 'newRoot') {
      throw new ServerError(40415, `BSON field '$replaceRoot.${element.name}' is an unknown field.`);
    }
    found = element;
  }
  if (found !== undefined) return found;
  throw new ServerError(40414, "BSON field '$replaceRoot.newRoot' is missing but a required field");
}

function replacing(spec: Value, { environment }: StageContext, what: string): Stage {
  const expression = compileExpression(spec, environment);
  return each((doc) => {
    const value = expression.evaluate({ root: doc });
    if (value?.type === bsonTypes.object) return documentOf(value);
    throw new ServerError(
      40228,
      `${what}must evaluate to an object, but resulting value was of type ${typeName(value?.type)}`,
    );
  });
}
