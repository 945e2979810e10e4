import { bsonTypes } from '../../../bson/bson-types.ts';
import { keyText } from '../../../bson/keys.ts';
import { documentOf, entriesOf, type RawDocument } from '../../../bson/raw.ts';
import { boolOf, type Element, type Value } from '../../../bson/value.ts';
import type { Statement } from '../../../statement/statement.ts';
import { keepParts, mapParts } from '../../parts.ts';
import { compilePatternOf } from '../regex.ts';
import { countOperand, expectType, mismatch, namesOperand, wrong } from './operands.ts';
import type { Accepts, CompileSchema, KeywordTable } from './schema.ts';

/** Above this number of names, one pass over the document is faster than a lookup per name. */
const FEW = 16;

/** Keywords for documents and arrays; values of other types are accepted. */
export const containerKeywords: KeywordTable = {
  required: (operand, { statement }) => hasAll(namesOperand(operand, 'required'), statement),
  properties: (operand, { compile, statement }) => {
    const schemas = namedSchemas(operand, 'properties', compile);
    return documents(statement, (doc) =>
      every(doc, statement, (element) => schemas.get(element.name)?.(element) !== false),
    );
  },
  patternProperties: (operand, { compile, statement }) => {
    const schemas = patternSchemas(operand, compile, statement);
    return documents(statement, (doc) =>
      every(doc, statement, (element) =>
        schemas.every(({ pattern, accepts }) => {
          statement.check();
          return !pattern.test(element.name, statement) || accepts(element);
        }),
      ),
    );
  },
  additionalProperties: (operand, { compile, sibling, statement }) => {
    const accepts = booleanOrSchema(operand, 'additionalProperties', compile);
    const properties = sibling('properties');
    const names = new Set(
      properties?.type === bsonTypes.object ? [...documentOf(properties)].map(({ name }) => name) : [],
    );
    const patternSpec = sibling('patternProperties');
    // Compile only the patterns here, because `patternProperties` compiles their schemas. If both compiled
    // them, each nesting level would double the time.
    const patterns = patternSpec?.type === bsonTypes.object ? patternsOf(patternSpec, statement) : [];
    const isNamed = ({ name }: Element) =>
      names.has(name) ||
      patterns.some((pattern) => {
        statement.check();
        return pattern.test(name, statement);
      });
    return documents(statement, (doc) =>
      every(doc, statement, (element) => isNamed(element) || accepts(element)),
    );
  },
  minProperties: (operand, { statement }) => {
    const least = countOperand(operand, 'minProperties');
    return documents(statement, (doc) => countOf(doc, statement) >= least);
  },
  maxProperties: (operand, { statement }) => {
    const most = countOperand(operand, 'maxProperties');
    return documents(statement, (doc) => countOf(doc, statement) <= most);
  },
  dependencies: (operand, { compile, statement }) => {
    const dependencies = new Map<string, Accepts>();
    for (const element of documentOf(expectType(operand, 'dependencies', 'object')))
      dependencies.set(element.name, dependency(element, compile, statement));
    return documents(statement, (doc) =>
      every(doc, statement, ({ name }) => dependencies.get(name)?.(doc.toValue()) !== false),
    );
  },
  items: (operand, { compile, statement }) => {
    if (operand.type === bsonTypes.object) {
      const accepts = compile(operand, 'items');
      return arrays((array) => every(documentOf(array), statement, accepts));
    }
    const listed = documentOf(expectType(operand, 'items', 'array'));
    const schemas = mapParts(listed, 'a schema', (schema) => compile(schema, 'items'));
    return arrays((array) =>
      every(documentOf(array), statement, (entry, i) => schemas[i]?.(entry) !== false),
    );
  },
  additionalItems: (operand, { compile, sibling, statement }) => {
    const accepts = booleanOrSchema(operand, 'additionalItems', compile);
    const items = sibling('items');
    if (items?.type !== bsonTypes.array) return () => true;
    const listed = countOf(documentOf(items), statement);
    return arrays((array) => every(documentOf(array), statement, (entry, i) => i < listed || accepts(entry)));
  },
  minItems: (operand, { statement }) => {
    const least = countOperand(operand, 'minItems');
    return arrays((array) => countOf(documentOf(array), statement) >= least);
  },
  maxItems: (operand, { statement }) => {
    const most = countOperand(operand, 'maxItems');
    return arrays((array) => countOf(documentOf(array), statement) <= most);
  },
  uniqueItems: (operand, { statement }) => {
    if (!boolOf(expectType(operand, 'uniqueItems', 'bool'))) return () => true;
    return arrays((array) => {
      const keys = new Set<string>();
      return every(documentOf(array), statement, (entry) => {
        const key = unorderedKey(entry, statement);
        if (keys.has(key)) return false;
        keys.add(key);
        return true;
      });
    });
  },
};

/** True if all elements are accepted. Checks for interruption, because there may be a million elements. */
function every(
  doc: RawDocument,
  statement: Statement,
  accepts: (element: Element, position: number) => boolean,
): boolean {
  let position = 0;
  for (const element of doc) {
    statement.check();
    if (!accepts(element, position++)) return false;
  }
  return true;
}

function countOf(doc: RawDocument, statement: Statement): number {
  let count = 0;
  for (const _ of doc) {
    statement.check();
    count++;
  }
  return count;
}

/** True if the document has all these fields. */
function hasAll(wanted: ReadonlySet<string>, statement: Statement): Accepts {
  if (wanted.size <= FEW) {
    const names = [...wanted];
    return documents(statement, (doc) => names.every((name) => doc.has(name)));
  }
  return documents(statement, (doc) => {
    const found = new Set<string>();
    for (const { name } of doc) {
      statement.check();
      if (wanted.has(name)) found.add(name);
    }
    return found.size === wanted.size;
  });
}

/** Returns a text that is equal for values that differ only in the order of fields. */
function unorderedKey(value: Value, statement: Statement): string {
  if (value.type !== bsonTypes.object) return keyText(value);
  const fields: string[] = [];
  for (const field of documentOf(value)) {
    statement.check();
    fields.push(JSON.stringify([field.name, unorderedKey(field, statement)]));
  }
  return `{${fields.sort().join()}}`;
}

function documents(statement: Statement, accepts: (doc: RawDocument) => boolean): Accepts {
  return (value) => {
    statement.check();
    return value.type !== bsonTypes.object || accepts(documentOf(value));
  };
}

function arrays(accepts: (array: Value) => boolean): Accepts {
  return (value) => value.type !== bsonTypes.array || accepts(value);
}

function namedSchemas(operand: Value, keyword: string, compile: CompileSchema): Map<string, Accepts> {
  const schemas = new Map<string, Accepts>();
  for (const element of documentOf(expectType(operand, keyword, 'object'))) {
    schemas.set(element.name, compile(element, keyword));
  }
  return schemas;
}

function patternSchemas(operand: Value, compile: CompileSchema, statement: Statement) {
  const schemas = namedSchemas(operand, 'patternProperties', compile);
  return [...schemas].map(([name, accepts]) => ({ pattern: patternOf(name, statement), accepts }));
}

function patternsOf(operand: Value, statement: Statement) {
  return [...documentOf(operand)].map(({ name }) => patternOf(name, statement));
}

/** Compiles a pattern. Checks for interruption first, because this takes up to some milliseconds. */
function patternOf(name: string, statement: Statement) {
  statement.checkNow();
  keepParts('a schema');
  return compilePatternOf(name, '').regexp;
}

function booleanOrSchema(operand: Value, keyword: string, compile: CompileSchema): Accepts {
  if (operand.type === bsonTypes.object) return compile(operand, keyword);
  if (operand.type !== bsonTypes.bool) throw mismatch(keyword, 'an object or a boolean');
  const accepts = boolOf(operand);
  return () => accepts;
}

/** Compiles a dependency: either a schema or the names of fields that are then required. */
function dependency(operand: Element, compile: CompileSchema, statement: Statement): Accepts {
  if (operand.type === bsonTypes.object) return compile(operand, 'dependencies');
  if (operand.type !== bsonTypes.array) throw mismatch('dependencies', 'an object of objects and arrays');
  const entries = entriesOf(operand);
  if (entries.length === 0) throw wrong('dependencies', 'cannot have an empty array');
  return hasAll(namesOperand(operand, 'dependencies'), statement);
}
