import { bsonTypes } from '../../../bson/bson-types.ts';
import { keyText } from '../../../bson/keys.ts';
import { documentOf, entriesOf, type RawDocument } from '../../../bson/raw.ts';
import { boolOf, type Element, type Value } from '../../../bson/value.ts';
import { compilePatternOf } from '../regex.ts';
import { countOperand, expectType, mismatch, namesOperand, wrong } from './operands.ts';
import type { Accepts, CompileSchema, KeywordTable } from './schema.ts';

/** More required names are looked up in one pass over a document, not in one for each. */
const FEW = 16;

/** Keywords for documents and arrays; values of other types are accepted. */
export const containerKeywords: KeywordTable = {
  required: (operand) => {
    const names = namesOperand(operand, 'required');
    if (names.length <= FEW) return documents((doc) => names.every((name) => doc.has(name)));
    return documents((doc) => {
      const missing = new Set(names);
      for (const { name } of doc) missing.delete(name);
      return missing.size === 0;
    });
  },
  properties: (operand, { compile }) => {
    const schemas = namedSchemas(operand, 'properties', compile);
    return documents((doc) => {
      for (const element of doc) if (schemas.get(element.name)?.(element) === false) return false;
      return true;
    });
  },
  patternProperties: (operand, { compile }) => {
    const schemas = patternSchemas(operand, compile);
    return documents((doc) =>
      [...doc].every((element) =>
        schemas.every(({ pattern, accepts }) => !pattern.test(element.name) || accepts(element)),
      ),
    );
  },
  additionalProperties: (operand, { compile, sibling }) => {
    const accepts = booleanOrSchema(operand, 'additionalProperties', compile);
    const properties = sibling('properties');
    const names = new Set(
      properties?.type === bsonTypes.object ? [...documentOf(properties)].map(({ name }) => name) : [],
    );
    const patternSpec = sibling('patternProperties');
    const patterns = patternSpec === undefined ? [] : patternSchemas(patternSpec, compile);
    const isNamed = ({ name }: Element) =>
      names.has(name) || patterns.some(({ pattern }) => pattern.test(name));
    return documents((doc) => [...doc].every((element) => isNamed(element) || accepts(element)));
  },
  minProperties: (operand) => {
    const least = countOperand(operand, 'minProperties');
    return documents((doc) => [...doc].length >= least);
  },
  maxProperties: (operand) => {
    const most = countOperand(operand, 'maxProperties');
    return documents((doc) => [...doc].length <= most);
  },
  dependencies: (operand, { compile }) => {
    const dependencies = [...documentOf(expectType(operand, 'dependencies', 'object'))].map((element) => ({
      name: element.name,
      accepts: dependency(element, compile),
    }));
    return documents((doc) =>
      dependencies.every(({ name, accepts }) => !doc.has(name) || accepts(doc.toValue())),
    );
  },
  items: (operand, { compile }) => {
    if (operand.type === bsonTypes.object) {
      const accepts = compile(operand, 'items');
      return arrays((entries) => entries.every(accepts));
    }
    const schemas = entriesOf(expectType(operand, 'items', 'array')).map((schema) =>
      compile(schema, 'items'),
    );
    return arrays((entries) =>
      schemas.every((accepts, i) => entries[i] === undefined || accepts(entries[i])),
    );
  },
  additionalItems: (operand, { compile, sibling }) => {
    const accepts = booleanOrSchema(operand, 'additionalItems', compile);
    const items = sibling('items');
    if (items?.type !== bsonTypes.array) return () => true;
    const listed = entriesOf(items).length;
    return arrays((entries) => entries.slice(listed).every(accepts));
  },
  minItems: (operand) => {
    const least = countOperand(operand, 'minItems');
    return arrays((entries) => entries.length >= least);
  },
  maxItems: (operand) => {
    const most = countOperand(operand, 'maxItems');
    return arrays((entries) => entries.length <= most);
  },
  uniqueItems: (operand) => {
    if (!boolOf(expectType(operand, 'uniqueItems', 'bool'))) return () => true;
    return arrays((entries) => new Set(entries.map(unorderedKey)).size === entries.length);
  },
};

/** Ignores the order of fields. */
function unorderedKey(value: Value): string {
  if (value.type !== bsonTypes.object) return keyText(value);
  const fields = [...documentOf(value)].map((field) => JSON.stringify([field.name, unorderedKey(field)]));
  return `{${fields.sort().join()}}`;
}

function documents(accepts: (doc: RawDocument) => boolean): Accepts {
  return (value) => value.type !== bsonTypes.object || accepts(documentOf(value));
}

function arrays(accepts: (entries: readonly Value[]) => boolean): Accepts {
  return (value) => value.type !== bsonTypes.array || accepts(entriesOf(value));
}

function namedSchemas(operand: Value, keyword: string, compile: CompileSchema): Map<string, Accepts> {
  const schemas = new Map<string, Accepts>();
  for (const element of documentOf(expectType(operand, keyword, 'object'))) {
    schemas.set(element.name, compile(element, keyword));
  }
  return schemas;
}

function patternSchemas(operand: Value, compile: CompileSchema) {
  const schemas = namedSchemas(operand, 'patternProperties', compile);
  return [...schemas].map(([name, accepts]) => ({ pattern: compilePatternOf(name, '').regexp, accepts }));
}

function booleanOrSchema(operand: Value, keyword: string, compile: CompileSchema): Accepts {
  if (operand.type === bsonTypes.object) return compile(operand, keyword);
  if (operand.type !== bsonTypes.bool) throw mismatch(keyword, 'an object or a boolean');
  const accepts = boolOf(operand);
  return () => accepts;
}

/** A schema, or the names of further required fields. */
function dependency(operand: Element, compile: CompileSchema): Accepts {
  if (operand.type === bsonTypes.object) return compile(operand, 'dependencies');
  if (operand.type !== bsonTypes.array) throw mismatch('dependencies', 'an object of objects and arrays');
  const entries = entriesOf(operand);
  if (entries.length === 0) throw wrong('dependencies', 'cannot have an empty array');
  const names = namesOperand(operand, 'dependencies');
  return documents((doc) => names.every((name) => doc.has(name)));
}
