import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { encodeDocument } from '../../../bson/encode.ts';
import { keyText } from '../../../bson/keys.ts';
import { documentOf, entriesOf, RawDocument } from '../../../bson/raw.ts';
import { boolOf, type Element, textOf, type Value } from '../../../bson/value.ts';
import { compileJsonSchema } from '../../../language/filter/json-schema/compile.ts';
import { compilePatternOf } from '../../../language/filter/regex.ts';

export type Details = Readonly<Record<string, unknown>>;

/** Returns the schema rules that a document violates. */
export function schemaDetails(schema: RawDocument, document: RawDocument): Details {
  return { ...annotations(schema), schemaRulesNotSatisfied: rulesBroken(schema, document.toValue()) };
}

function annotations(schema: RawDocument): Details {
  return { title: schema.get('title'), description: schema.get('description') };
}

/** Keywords in the server's order. */
const order = `multipleOf maximum minimum maxLength minLength pattern properties required patternProperties
  additionalProperties minProperties maxProperties dependencies minItems maxItems uniqueItems items additionalItems
  enum allOf anyOf oneOf not type bsonType`.split(/\s+/);

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

function specified(keyword: string, operand: Value): Details {
  return { specifiedAs: { [keyword]: operand } };
}

const reasons: Readonly<Record<string, string>> = {
  multipleOf: 'considered value is not a multiple of the specified value',
  maximum: 'comparison failed',
  minimum: 'comparison failed',
  maxLength: 'specified string length was not satisfied',
  minLength: 'specified string length was not satisfied',
  pattern: 'regular expression did not match',
  minItems: 'array did not match specified length',
  maxItems: 'array did not match specified length',
  enum: 'value was not found in enum',
};

function describeRule(keyword: string, operand: Value, value: Value, schema: RawDocument): Details {
  switch (keyword) {
    case 'properties':
      return { propertiesNotSatisfied: brokenProperties(operand, value) };
    case 'required':
      return { ...specified(keyword, operand), missingProperties: missingNames(operand, value) };
    case 'patternProperties':
      return { propertiesNotSatisfied: brokenPatterns(operand, value) };
    case 'additionalProperties':
      return {
        ...specified(keyword, operand),
        additionalProperties: additionalNames(operand, value, schema),
      };
    case 'minProperties':
    case 'maxProperties':
      return {
        ...specified(keyword, operand),
        reason: 'specified number of properties was not satisfied',
        numberOfProperties: [...documentOf(value)].length,
      };
    case 'dependencies':
      return { failingDependencies: brokenDependencies(operand, value) };
    case 'uniqueItems':
      return {
        ...specified(keyword, operand),
        reason: 'found a duplicate item',
        consideredValue: value,
        duplicatedValue: duplicateIn(value),
      };
    case 'items':
      return brokenItem(operand, value);
    case 'additionalItems':
      return {
        ...specified(keyword, operand),
        reason: 'found additional items',
        additionalItems: excess(operand, value, schema),
      };
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return combined(keyword, operand, value);
    case 'not':
      return { reason: 'child expression matched' };
    case 'type':
    case 'bsonType':
      return {
        ...specified(keyword, operand),
        reason: 'type did not match',
        consideredValue: value,
        consideredType: typeName(value.type),
      };
    default:
      return { ...specified(keyword, operand), reason: reasons[keyword], consideredValue: value };
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

function brokenPatterns(operand: Value, value: Value): Details[] {
  return [...documentOf(operand)].flatMap((pattern) =>
    [...documentOf(value)]
      .filter(
        (field) => compilePatternOf(pattern.name, '').regexp.test(field.name) && !accepts(pattern, field),
      )
      .map((field) => ({
        propertyName: field.name,
        regexMatched: pattern.name,
        details: rulesBroken(documentOf(pattern), field),
      })),
  );
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
    .filter(({ name }) => !known.has(name) && !tests.some((test) => test.test(name)))
    .filter((field) => !accepts(operand, field))
    .map(({ name }) => name);
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

function brokenItem(operand: Value, value: Value): Details {
  const schemas = operand.type === bsonTypes.array ? entriesOf(operand) : undefined;
  const entries = entriesOf(value);
  const schemaAt = (i: number) => (schemas === undefined ? operand : schemas[i]);
  const itemIndex = entries.findIndex((entry, i) => {
    const schema = schemaAt(i);
    return schema !== undefined && !accepts(schema, entry);
  });
  const [entry, schema] = [entries[itemIndex], schemaAt(itemIndex)];
  return {
    reason: 'At least one item did not match the sub-schema',
    itemIndex,
    details: entry && schema ? rulesBroken(documentOf(schema), entry) : [],
  };
}

function excess(operand: Value, value: Value, schema: RawDocument): Value[] {
  const items = schema.get('items');
  if (value.type !== bsonTypes.array || items?.type !== bsonTypes.array) return [];
  return entriesOf(value)
    .slice(entriesOf(items).length)
    .filter((entry) => !accepts(operand, entry));
}

function combined(keyword: string, operand: Value, value: Value): Details {
  const schemas = entriesOf(operand);
  const matching = [...schemas.keys()].filter((i) => accepts(schemas[i] as Value, value));
  if (keyword === 'oneOf' && matching.length > 1) {
    return { reason: 'more than one subschema matched', matchingSchemaIndexes: matching };
  }
  const schemasNotSatisfied = schemas.flatMap((schema, index) =>
    matching.includes(index) ? [] : [{ index, details: rulesBroken(documentOf(schema), value) }],
  );
  return { schemasNotSatisfied };
}
