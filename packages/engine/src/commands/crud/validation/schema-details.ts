import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { encodeDocument } from '../../../bson/encode.ts';
import { keyText } from '../../../bson/keys.ts';
import { documentOf, entriesOf, RawDocument } from '../../../bson/raw.ts';
import { step } from '../../../bson/turns.ts';
import { boolOf, type Element, textOf, type Value } from '../../../bson/value.ts';
import { compileJsonSchema } from '../../../language/filter/json-schema/compile.ts';
import { isEncrypted } from '../../../language/filter/json-schema/encryption.ts';
import { compilePatternOf } from '../../../language/filter/regex.ts';

export type Details = Readonly<Record<string, unknown>>;

/** Returns the schema rules that a document violates. */
export function schemaDetails(schema: RawDocument, document: RawDocument): Details {
  return { ...annotations(schema), schemaRulesNotSatisfied: rulesBroken(schema, document.toValue()) };
}

/** True if the schema requires that the document itself has another type, so that it rejects all documents. */
export function isRejectedByType(schema: RawDocument, document: RawDocument): boolean {
  return ['type', 'bsonType'].some((keyword) => {
    const operand = schema.get(keyword);
    return operand !== undefined && !isSatisfied(schema, keyword, operand, document.toValue());
  });
}

function annotations(schema: RawDocument): Details {
  return { title: schema.get('title'), description: schema.get('description') };
}

/** Keywords in the server's order. */
const order = `multipleOf maximum minimum maxLength minLength pattern properties required patternProperties
  additionalProperties minProperties maxProperties dependencies minItems maxItems uniqueItems items additionalItems
  enum allOf anyOf oneOf not type bsonType encrypt`.split(/\s+/);

function rulesBroken(schema: RawDocument, value: Value): Details[] {
  return order.flatMap((keyword) => {
    const operand = schema.get(keyword);
    if (operand === undefined || isSatisfied(schema, keyword, operand, value)) return [];
    return [{ operatorName: keyword, ...describeRule(keyword, operand, value, schema) }];
  });
}

/** Keywords, each with another keyword that changes its meaning. */
const companions: Readonly<Record<string, string>> = {
  minimum: 'exclusiveMinimum',
  maximum: 'exclusiveMaximum',
};

function isSatisfied(schema: RawDocument, keyword: string, operand: Value, value: Value): boolean {
  // Check only the items and properties that the schema does not list. `items` and `properties` check the others.
  if (keyword === 'additionalItems') return excess(operand, value, schema).length === 0;
  if (keyword === 'additionalProperties') return additionalNames(operand, value, schema).length === 0;
  const fields: Record<string, Value | undefined> = { [keyword]: operand };
  const companion = companions[keyword];
  if (companion !== undefined) fields[companion] = schema.get(companion);
  return compileJsonSchema(new RawDocument(encodeDocument(fields)))(value);
}

function accepts(schema: Value, value: Value): boolean {
  if (schema.type === bsonTypes.bool) return boolOf(schema);
  return compileJsonSchema(documentOf(schema))(value);
}

function specified(keyword: string, operand: Value, schema: RawDocument): Details {
  const companion = companions[keyword];
  const other = companion === undefined ? undefined : schema.get(companion);
  return { specifiedAs: { [keyword]: operand, ...(companion && other ? { [companion]: other } : {}) } };
}

const reasons: Readonly<Record<string, string>> = {
  multipleOf: 'considered value is not a multiple of the specified value',
  maximum: 'comparison failed',
  minimum: 'comparison failed',
  maxLength: 'specified string length was not satisfied',
  minLength: 'specified string length was not satisfied',
  pattern: 'regular expression did not match',
  enum: 'value was not found in enum',
};

function describeRule(keyword: string, operand: Value, value: Value, schema: RawDocument): Details {
  switch (keyword) {
    case 'properties':
      return { propertiesNotSatisfied: brokenProperties(operand, value) };
    case 'required':
      return { ...specified(keyword, operand, schema), missingProperties: missingNames(operand, value) };
    case 'patternProperties':
      return { propertiesNotSatisfied: brokenPatterns(operand, value) };
    case 'additionalProperties': {
      const names = additionalNames(operand, value, schema);
      if (operand.type === bsonTypes.bool) {
        return { ...specified(keyword, operand, schema), additionalProperties: names };
      }
      return brokenAdditionalProperty(documentOf(operand), value, names[0] as string);
    }
    case 'minProperties':
    case 'maxProperties':
      return {
        ...specified(keyword, operand, schema),
        reason: 'specified number of properties was not satisfied',
        numberOfProperties: [...documentOf(value)].length,
      };
    case 'dependencies':
      return { failingDependencies: brokenDependencies(operand, value) };
    case 'encrypt':
      return { reason: isEncrypted(value) ? 'encrypted value has wrong type' : 'value was not encrypted' };
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return combined(keyword, operand, value);
    case 'not':
      return { reason: 'child expression matched' };
    case 'type':
    case 'bsonType':
      return {
        ...specified(keyword, operand, schema),
        reason: 'type did not match',
        consideredValue: value,
        consideredType: typeName(value.type),
      };
    default:
      return (
        describeItemRule(keyword, operand, value, schema) ??
        describeValueRule(keyword, operand, value, schema)
      );
  }
}

function describeValueRule(keyword: string, operand: Value, value: Value, schema: RawDocument): Details {
  return { ...specified(keyword, operand, schema), reason: reasons[keyword], consideredValue: value };
}

/** Describes a rule about the items of an array. Returns undefined for other rules. */
function describeItemRule(
  keyword: string,
  operand: Value,
  value: Value,
  schema: RawDocument,
): Details | undefined {
  switch (keyword) {
    case 'uniqueItems':
      return {
        ...specified(keyword, operand, schema),
        reason: 'found a duplicate item',
        consideredValue: value,
        duplicatedValue: duplicateIn(value),
      };
    case 'items':
      return operand.type === bsonTypes.array
        ? { details: brokenItems(entriesOf(operand), entriesOf(value)) }
        : brokenItem(documentOf(operand), entriesOf(value), 'item', 0);
    case 'additionalItems': {
      const listed = itemCount(schema);
      if (operand.type !== bsonTypes.bool) {
        return brokenItem(documentOf(operand), entriesOf(value), 'additional item', listed);
      }
      return {
        ...specified(keyword, operand, schema),
        reason: 'found additional items',
        additionalItems: entriesOf(value).slice(listed),
      };
    }
    case 'minItems':
    case 'maxItems':
      return {
        ...specified(keyword, operand, schema),
        reason: 'array did not match specified length',
        consideredValue: value,
        numberOfItems: entriesOf(value).length,
      };
    default:
      return undefined;
  }
}

function brokenProperties(operand: Value, value: Value): Details[] {
  const document = documentOf(value);
  return [...documentOf(operand)].flatMap((property) => {
    const own = document.get(property.name);
    if (own === undefined || accepts(property, own)) return [];
    return [
      {
        propertyName: property.name,
        ...annotations(documentOf(property)),
        details: rulesBroken(documentOf(property), own),
      },
    ];
  });
}

/** Returns the first field that each pattern rejects. */
function brokenPatterns(operand: Value, value: Value): Details[] {
  return [...documentOf(operand)].flatMap((pattern) => {
    const { regexp } = compilePatternOf(pattern.name, '');
    const field = [...documentOf(value)].find((own) => regexp.test(own.name) && !accepts(pattern, own));
    if (field === undefined) return [];
    const schema = documentOf(pattern);
    const details = rulesBroken(schema, field);
    return [{ propertyName: field.name, ...annotations(schema), regexMatched: pattern.name, details }];
  });
}

function brokenAdditionalProperty(schema: RawDocument, value: Value, failingProperty: string): Details {
  return {
    ...annotations(schema),
    reason: 'at least one additional property did not match the subschema',
    failingProperty,
    details: rulesBroken(schema, documentOf(value).get(failingProperty) as Value),
  };
}

function missingNames(operand: Value, value: Value): string[] {
  const document = documentOf(value);
  return entriesOf(operand)
    .map(textOf)
    .filter((name) => !document.has(name));
}

/**
 * Returns the fields that `additionalProperties` rejects. These are fields to which neither `properties` nor
 * `patternProperties` applies.
 */
function additionalNames(operand: Value, value: Value, schema: RawDocument): string[] {
  if (value.type !== bsonTypes.object) return [];
  const known = schema.document('properties') ?? RawDocument.empty;
  const patterns = schema.document('patternProperties') ?? RawDocument.empty;
  const tests = [...patterns].map(({ name }) => compilePatternOf(name, '').regexp);
  return [...documentOf(value)]
    .filter(({ name }) => !known.has(name) && !tests.some((test) => isMatched(test, name)))
    .filter((field) => !accepts(operand, field))
    .map(({ name }) => name);
}

function isMatched(pattern: Pick<RegExp, 'test'>, name: string): boolean {
  step();
  return pattern.test(name);
}

function brokenDependencies(operand: Value, value: Value): Details[] {
  const document = documentOf(value);
  const depends = ({ name }: Element) => document.has(name);
  return [...documentOf(operand)].filter(depends).flatMap((dependency): Details[] => {
    const conditionalProperty = dependency.name;
    if (dependency.type === bsonTypes.array) {
      const missingProperties = missingNames(dependency, value);
      return missingProperties.length === 0 ? [] : [{ conditionalProperty, missingProperties }];
    }
    if (accepts(dependency, value)) return [];
    return [{ conditionalProperty, details: rulesBroken(documentOf(dependency), value) }];
  });
}

function duplicateIn(value: Value): Value | undefined {
  const seen = new Set<string>();
  return entriesOf(value).find((entry) => {
    const key = keyText(entry);
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  });
}

/** Describes the first entry, from a position on, that a schema rejects. */
function brokenItem(schema: RawDocument, entries: readonly Value[], what: string, from: number): Details {
  const itemIndex = entries.findIndex((entry, i) => i >= from && !accepts(schema.toValue(), entry));
  return {
    ...annotations(schema),
    reason: `At least one ${what} did not match the sub-schema`,
    itemIndex,
    details: rulesBroken(schema, entries[itemIndex] as Value),
  };
}

function brokenItems(schemas: readonly Value[], entries: readonly Value[]): Details[] {
  return schemas.flatMap((schema, itemIndex) => {
    const entry = entries[itemIndex];
    if (entry === undefined || accepts(schema, entry)) return [];
    return [{ itemIndex, details: rulesBroken(documentOf(schema), entry) }];
  });
}

/** The number of entries for which `items` lists schemas. */
function itemCount(schema: RawDocument): number {
  const items = schema.get('items');
  return items?.type === bsonTypes.array ? entriesOf(items).length : Number.POSITIVE_INFINITY;
}

function excess(operand: Value, value: Value, schema: RawDocument): Value[] {
  if (value.type !== bsonTypes.array) return [];
  return entriesOf(value)
    .slice(itemCount(schema))
    .filter((entry) => !accepts(operand, entry));
}

function combined(keyword: string, operand: Value, value: Value): Details {
  const schemas = entriesOf(operand);
  const matching = [...schemas.keys()].filter((i) => accepts(schemas[i] as Value, value));
  if (keyword === 'oneOf' && matching.length > 1) {
    return { reason: 'more than one subschema matched', matchingSchemaIndexes: matching };
  }
  const schemasNotSatisfied = schemas.flatMap((schema, index) =>
    matching.includes(index)
      ? []
      : [{ index, ...annotations(documentOf(schema)), details: rulesBroken(documentOf(schema), value) }],
  );
  return { schemasNotSatisfied };
}
