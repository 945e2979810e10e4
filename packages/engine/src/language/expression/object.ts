import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf } from '../../bson/raw.ts';
import { type Element, nullValue, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import { listOf } from './entries.ts';
import type { Compiler, Expression, ExpressionTable } from './expression.ts';
import { type Argument, any, fieldsOf, isNullish, type NamedArguments, over, typeOf } from './operator.ts';

export const objectOperators: ExpressionTable = {
  $getField: compileGetField,
  $setField: compileSetField,
  $unsetField: compileUnsetField,
  $mergeObjects: over(any, merge),
};

const getFieldArguments = {
  notDocument: 3041701,
  unknown: 3041701,
  fields: { field: 3041702, input: 3041703 },
} as const satisfies NamedArguments;

/** Compiles `$getField`. The operand is `{field, input}`, or the name of a field of the current document. */
function compileGetField(operand: Element, compiler: Compiler): Expression {
  const [field, input] = getFieldParts(operand, compiler);
  return {
    evaluate(scope) {
      const name = field.evaluate(scope);
      if (name?.type !== bsonTypes.string) {
        throw new ServerError(
          3041704,
          `$getField requires 'field' to evaluate to type String, found ${typeOf(name)}`,
        );
      }
      const value = input.evaluate(scope);
      if (value?.type === bsonTypes.object) return documentOf(value).get(textOf(name));
      return isNullish(value) && value !== undefined ? nullValue : undefined;
    },
  };
}

function getFieldParts(operand: Element, compiler: Compiler): [Expression, Expression] {
  const first = operand.type === bsonTypes.object ? documentOf(operand).first()?.name : '$';
  if (first === undefined || !first.startsWith('$')) {
    const fields = fieldsOf(operand, getFieldArguments);
    return [
      compiler.compile(fields.get('field') as Element),
      compiler.compile(fields.get('input') as Element),
    ];
  }
  return [compiler.compile(operand), compiler.variable('CURRENT')];
}

const setFieldArguments = {
  notDocument: 4161100,
  unknown: 4161101,
  fields: { field: 4161102, value: 4161103, input: 4161109 },
} as const satisfies NamedArguments;

const { value: _, ...unsetFields } = setFieldArguments.fields;
const unsetFieldArguments: NamedArguments = { ...setFieldArguments, fields: unsetFields };

/** Removes the field if its new value is missing. */
function compileSetField(operand: Element, compiler: Compiler): Expression {
  const fields = fieldsOf(operand, setFieldArguments);
  return replacing(fields, compiler, compiler.compile(fields.get('value') as Element));
}

function compileUnsetField(operand: Element, compiler: Compiler): Expression {
  return replacing(fieldsOf(operand, unsetFieldArguments), compiler, { evaluate: () => undefined });
}

function replacing(fields: ReadonlyMap<string, Element>, compiler: Compiler, value: Expression): Expression {
  const input = compiler.compile(fields.get('input') as Element);
  const name = constantName(fields.get('field') as Element, compiler);
  return {
    evaluate(scope) {
      const target = input.evaluate(scope);
      if (isNullish(target)) return nullValue;
      if (target.type !== bsonTypes.object) {
        throw new ServerError(
          4161105,
          `$setField requires 'input' to evaluate to type Object, found ${typeOf(target)}`,
        );
      }
      return withField(target, name, value.evaluate(scope));
    },
  };
}

function constantName(spec: Element, compiler: Compiler): string {
  if (spec.type === bsonTypes.string && textOf(spec).startsWith('$')) {
    throw new ServerError(4161108, `A field path reference which begins with '$' is not allowed as a field`);
  }
  const { constant: name } = compiler.compile(spec);
  if (name === undefined || !isPlain(spec)) {
    throw new ServerError(4161106, `$setField requires 'field' to evaluate to a constant`);
  }
  if (name.type !== bsonTypes.string) {
    throw new ServerError(
      4161107,
      `$setField requires 'field' to evaluate to type String, found ${typeOf(name)}`,
    );
  }
  const text = textOf(name);
  if (text.includes('\0')) throw new ServerError(9534700, 'A field name must not contain a null byte');
  return text;
}

/** True for scalars and literals. Arrays and other documents are expressions. */
function isPlain(spec: Value): boolean {
  if (spec.type === bsonTypes.array) return false;
  if (spec.type !== bsonTypes.object || documentOf(spec).isEmpty) return true;
  const operator = documentOf(spec).first()?.name;
  return operator === '$literal' || operator === '$const';
}

function withField(target: Value, name: string, value: Argument): Value {
  const doc = documentOf(target);
  const present = doc.has(name);
  return writeDocument((writer) => {
    for (const element of doc) {
      if (element.name !== name) writer.element(element);
      else if (value !== undefined) writer.field(name, value);
    }
    if (!present && value !== undefined) writer.field(name, value);
  }).toValue();
}

/**
 * Merges documents and skips null. If a field repeats, it gets the value of the last document, at the position of the
 * first.
 */
function merge(args: readonly Argument[], name: string, statement: Statement): Value {
  const [only] = args;
  const values = args.length === 1 && only?.type === bsonTypes.array ? listOf(only, statement, name) : args;
  const fields = new Map<string, Value>();
  for (const value of values) {
    if (isNullish(value)) continue;
    if (value.type !== bsonTypes.object) {
      throw new ServerError(
        40400,
        `$mergeObjects requires object inputs, but input is of type ${typeOf(value)}`,
      );
    }
    for (const element of documentOf(value)) {
      statement.check();
      fields.set(element.name, element);
    }
  }
  return writeDocument((writer) => {
    for (const [name, value] of fields) writer.field(name, value);
  }).toValue();
}
