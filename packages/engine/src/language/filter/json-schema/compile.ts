import { bsonTypes } from '../../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { type Statement, unwatched } from '../../../statement/statement.ts';
import { keepParts, mapParts } from '../../parts.ts';
import { parseTypes } from '../type-set.ts';
import { containerKeywords } from './containers.ts';
import { encryptionKeywords } from './encryption.ts';
import { expectType, mismatch, namesOperand, refuseBoth, wrong } from './operands.ts';
import { scalarKeywords } from './scalars.ts';
import type { Accepts, CompileKeyword, CompileSchema, KeywordTable } from './schema.ts';

const combining: KeywordTable = {
  allOf: (operand, { compile }) => {
    const schemas = schemasOf(operand, 'allOf', compile);
    return (value) => schemas.every((accepts) => accepts(value));
  },
  anyOf: (operand, { compile }) => {
    const schemas = schemasOf(operand, 'anyOf', compile);
    return (value) => schemas.some((accepts) => accepts(value));
  },
  oneOf: (operand, { compile }) => {
    const schemas = schemasOf(operand, 'oneOf', compile);
    return (value) => schemas.filter((accepts) => accepts(value)).length === 1;
  },
  not: (operand, { compile }) => {
    const accepts = compile(operand, 'not');
    return (value) => !accepts(value);
  },
};

const describing: KeywordTable = {
  title: (operand) => acceptAll(expectType(operand, 'title', 'string')),
  description: (operand) => acceptAll(expectType(operand, 'description', 'string')),
  bsonType: (operand, { sibling }) => {
    refuseBoth('type', 'bsonType', sibling);
    refuseBoth('bsonType', 'encrypt', sibling);
    checkTypeNames(operand, 'bsonType');
    const types = parseTypes(operand, '$jsonSchema keyword bsonType');
    return (value) => types.has(value.type);
  },
  type: (operand, { sibling }) => {
    refuseBoth('type', 'encrypt', sibling);
    const names = checkTypeNames(operand, 'type');
    const types = new Set(names.flatMap(typesOfJson));
    return (value) => types.has(value.type);
  },
};

function acceptAll(_: Value): Accepts {
  return () => true;
}

/**
 * Validates the operand of a type keyword and returns its names. The operand is a name, or a list of distinct names.
 */
function checkTypeNames(operand: Value, keyword: string): string[] {
  if (operand.type === bsonTypes.string) return [textOf(operand)];
  if (operand.type !== bsonTypes.array) throw mismatch(keyword, 'either a string or an array of strings');
  return [...namesOperand(operand, keyword)];
}

const jsonTypes: Readonly<Record<string, readonly number[]>> = {
  object: [bsonTypes.object],
  array: [bsonTypes.array],
  string: [bsonTypes.string],
  boolean: [bsonTypes.bool],
  null: [bsonTypes.null],
  number: [bsonTypes.int, bsonTypes.long, bsonTypes.double, bsonTypes.decimal],
};

function typesOfJson(name: string): readonly number[] {
  if (name === 'integer') {
    throw wrong('type', "does not support the type 'integer'");
  }
  const types = Object.hasOwn(jsonTypes, name) ? jsonTypes[name] : undefined;
  if (types === undefined) throw new ServerError('BadValue', `Unknown type name alias: ${name}`);
  return types;
}

export const keywords = new Map<string, CompileKeyword>(
  Object.entries({
    ...combining,
    ...describing,
    ...scalarKeywords,
    ...containerKeywords,
    ...encryptionKeywords,
  }),
);

/** Keywords of the JSON Schema standard that the server rejects with a separate error. */
const unsupported: ReadonlySet<string> = new Set([
  '$ref',
  '$schema',
  'default',
  'definitions',
  'format',
  'id',
]);

/** Compiles a draft 4 schema with `bsonType`. Throws `TypeMismatch`, `FailedToParse` and `BadValue`. */
export function compileJsonSchema(
  schema: RawDocument,
  statement: Statement = unwatched,
  encryption = true,
): Accepts {
  const compile: CompileSchema = (inner, keyword) => {
    if (inner.type !== bsonTypes.object) throw mismatch(keyword, 'a schema, which is an object');
    return compileJsonSchema(documentOf(inner), statement, encryption);
  };
  statement.check();
  keepParts('a schema');
  const tests = mapParts(schema, 'a schema', (element) => {
    const { name } = element;
    const compileKeyword = keywords.get(name);
    if (compileKeyword === undefined) throw unknownKeyword(name);
    return compileKeyword(element, { compile, statement, encryption, sibling: (other) => schema.get(other) });
  });
  return (value) => {
    statement.check();
    return tests.every((accepts) => accepts(value));
  };
}

function unknownKeyword(name: string): ServerError {
  return !unsupported.has(name)
    ? new ServerError('FailedToParse', `Unknown $jsonSchema keyword: ${name}`)
    : new ServerError('FailedToParse', `$jsonSchema keyword '${name}' is not currently supported`);
}

function schemasOf(operand: Value, keyword: string, compile: CompileSchema): Accepts[] {
  const entries = documentOf(expectType(operand, keyword, 'array'));
  if (entries.isEmpty) throw wrong(keyword, 'cannot be an empty array');
  return mapParts(entries, 'a schema', (entry) => compile(entry, keyword));
}
