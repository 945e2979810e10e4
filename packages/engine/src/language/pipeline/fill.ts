import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { type Element, string, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import { compileExpression } from '../expression/compile.ts';
import { arrayOf } from '../expression/field-path.ts';
import { checkFieldPath } from '../field-path.ts';
import { keepParts } from '../parts.ts';
import { compileSort } from '../sort.ts';
import { documentWith } from './document-fields.ts';
import { compileAddFields } from './fields.ts';
import { carryingMetadata } from './metadata.ts';
import { readOptions } from './options.ts';
import { anywhere } from './position.ts';
import type { Stage, StageContext, StageTable } from './stage.ts';
import { optionsOf, readsInput } from './stage-access.ts';
import { carriesMetadata, inQueries } from './stage-facts.ts';
import { compileWindowFields } from './window/stage.ts';

export const fillStages: StageTable = {
  $fill: {
    compile: compileFill,
    source: 'input',
    position: anywhere,
    within: { ...inQueries, update: hasOnlyValues, changeStream: hasOnlyValues },
    metadata: carriesMetadata,
    fusion: 'alters',
    access: readsInput,
    readConcern: 'any',
    shapesPlan: false,
    stableApi: true,
  },
};

/** True if all fields are filled with values. Filling by a method depends on other documents and their order. */
function hasOnlyValues(stage: Element): boolean {
  const output = optionsOf(stage).get('output');
  return output === undefined || [...optionsOf(output)].every((one) => !optionsOf(one).has('method'));
}

const methods: Readonly<Record<string, string>> = { locf: '$locf', linear: '$linearFill' };

/**
 * Compiles `$fill`, which fills null and missing values. `$setWindowFields` implements its methods, `$addFields` its
 * values.
 */
function compileFill(spec: Value, context: StageContext): Stage {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(
      'FailedToParse',
      `The $fill stage specification must be an object, found ${typeName(spec.type)}`,
    );
  }
  const options = readOptions('$fill', spec, {
    partitionBy: 'any',
    partitionByFields: 'array',
    sortBy: 'object',
    output: 'object!',
  });
  const { byMethod, byValue } = outputsOf(options.output as Element, context.environment.statement);
  const partition = partitionOf(
    options.partitionBy,
    options.partitionByFields,
    context.environment.statement,
  );
  const stages: Stage[] = [];
  if (byMethod.isEmpty) {
    // Without a method, the sort and the partition have no effect, but they are still validated.
    if (options.sortBy) compileSort(documentOf(options.sortBy));
    if (partition) compileExpression(partition, context.environment);
  } else {
    const window = writeDocument((writer) => {
      if (partition) writer.field('partitionBy', partition);
      if (options.sortBy) writer.field('sortBy', options.sortBy);
      writer.field('output', byMethod.toValue());
    });
    stages.push(compileWindowFields(window.toValue(), context));
  }
  if (!byValue.isEmpty) stages.push(carryingMetadata(compileAddFields(byValue.toValue(), context)));
  return (docs) => stages.reduce<Iterable<RawDocument>>((input, stage) => stage(input), docs);
}

function outputsOf(
  output: Element,
  statement: Statement,
): { readonly byMethod: RawDocument; readonly byValue: RawDocument } {
  const outputs = [...documentOf(output)].map((element) => {
    statement.check();
    keepParts('a pipeline');
    return outputOf(element);
  });
  if (outputs.length === 0) {
    throw new ServerError(
      6050203,
      "The output field in '$fill' must contain an object with at least one element",
    );
  }
  const written = (kind: 'method' | 'value') =>
    writeDocument((writer) => {
      for (const one of outputs) if (one?.kind === kind) writer.field(one.name, one.spec);
    });
  return { byMethod: written('method'), byValue: written('value') };
}

interface Output {
  readonly name: string;
  readonly kind: 'method' | 'value';
  /**
   * The specification of the field for `$setWindowFields` if `kind` is `method`, otherwise for `$addFields`.
   */
  readonly spec: Value;
}

function outputOf(element: Element): Output | undefined {
  const { name } = element;
  if (element.type !== bsonTypes.object) {
    throw new ServerError(6050200, 'Each fill output specification must be an object with exactly one field');
  }
  const { method, value } = readOptions('$fill', element, { method: 'string', value: 'any' });
  const own = string(`$${name}`);
  if (method === undefined) {
    return value && { name, kind: 'value', spec: operator('$ifNull', arrayOf([own, value])) };
  }
  if (value !== undefined) {
    throw new ServerError(
      6050201,
      "Each fill output specification must have exactly one of 'method' or 'value' fields, not both",
    );
  }
  const text = textOf(method);
  const named = Object.hasOwn(methods, text) ? methods[text] : undefined;
  if (named === undefined) throw new ServerError(6050202, 'Method must be either locf or linear');
  return { name, kind: 'method', spec: operator(named, own) };
}

function operator(name: string, operand: Value): Value {
  return writeDocument((writer) => writer.field(name, operand)).toValue();
}

function partitionOf(
  by: Element | undefined,
  fields: Element | undefined,
  statement: Statement,
): Value | undefined {
  if (by !== undefined && fields !== undefined) {
    throw new ServerError(
      6050204,
      "Maximum one of 'partitionBy' and 'partitionByFields can be specified in '$fill'",
    );
  }
  if (by !== undefined && by.type !== bsonTypes.string && by.type !== bsonTypes.object) {
    throw new ServerError(
      'TypeMismatch',
      `BSON field '$fill.partitionBy' is the wrong type '${typeName(by.type)}', ` +
        "expected types '[string, object]'",
    );
  }
  if (fields === undefined) return by;
  const paths = entriesOf(fields).map((entry, i) => {
    if (entry.type !== bsonTypes.string) {
      throw new ServerError(
        'TypeMismatch',
        `BSON field '$fill.partitionByFields.${i}' is the wrong type '${typeName(entry.type)}', ` +
          "expected type 'string'",
      );
    }
    const path = textOf(entry);
    checkFieldPath(path);
    return path;
  });
  const values = paths.map((path) => [path.split('.'), string(`$${path}`)] as const);
  return documentWith(values, statement).toValue();
}
