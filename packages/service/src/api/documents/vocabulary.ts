/**
 * Keywords of JSON Schema 2020-12 whose value is not a schema; they are copied to the documents. Private keywords are
 * omitted unless they begin with `x-`.
 */
const plain = new Set([
  'type',
  'const',
  'enum',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'title',
  'description',
  'default',
  'deprecated',
  'examples',
  'readOnly',
  'writeOnly',
]);

const holdingOne = [
  'items',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'additionalProperties',
];
const holdingList = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const holdingMap = ['properties', 'patternProperties', 'dependentSchemas'];

export type KeywordKind = 'plain' | 'one' | 'list' | 'map' | undefined;

const kinds = new Map<string, KeywordKind>([
  ...[...plain].map((name) => [name, 'plain'] as const),
  ...holdingOne.map((name) => [name, 'one'] as const),
  ...holdingList.map((name) => [name, 'list'] as const),
  ...holdingMap.map((name) => [name, 'map'] as const),
]);

/**
 * Returns the type of a keyword's value: plain, a schema, a list or a map of schemas. Undefined for a private keyword.
 */
export function kindOf(keyword: string): KeywordKind {
  return keyword.startsWith('x-') ? 'plain' : kinds.get(keyword);
}
