import type { TSchema } from 'typebox';
import { type EntityRule, entity, entityRule } from '../entity.ts';
import { asJsonSchema, type JsonSchema } from '../schema/json-schema.ts';
import { changedEntity, type EntityChanges, entityChange, fieldWords } from './entities.ts';
import type { Words, WordTable } from './words.ts';

type Rewrite = (schema: JsonSchema) => JsonSchema;

/**
 * Returns a function that rewrites schemas in the words of a dialect. The rewritten schema of an entity is an entity
 * with the same rule.
 */
export function schemaWriter(changes: EntityChanges): (schema: TSchema) => TSchema {
  const rewrite = rewriter(changes, changes.words.fields);
  return (schema) => rewrite(asJsonSchema(schema)) as TSchema;
}

/**
 * Returns a function that rewrites schemas. `outer` contains the new names of fields. An entity within a schema may
 * have other names for its fields.
 */
function rewriter(changes: EntityChanges, outer: WordTable): Rewrite {
  const { words } = changes;
  const written = new WeakMap<object, JsonSchema>();
  const rewrite: Rewrite = (schema) => {
    const known = written.get(schema);
    if (known !== undefined) return known;
    const fields = fieldWords(changes, schema, outer);
    const inner = fields === outer ? rewrite : rewriter(changes, fields);
    const renamed = rewritten(schema, { ...words, fields }, inner);
    const change = entityChange(changes, schema);
    const own = change === undefined ? renamed : changedEntity(renamed, change);
    written.set(schema, own);
    const rule = entityRule(schema as TSchema) as EntityRule<unknown> | undefined;
    if (rule !== undefined && own !== schema)
      entity(own as TSchema, { ...rule, ...(change?.isUnlinked && { isUnlinked: true }) });
    return own;
  };
  return rewrite;
}

/** Rewrites a schema. If no word changes, returns the same object, so that both dialects share cached results. */
function rewritten(schema: JsonSchema, words: Words, rewrite: Rewrite): JsonSchema {
  const changed: Record<string, unknown> = {};
  const set = (keyword: keyof JsonSchema, value: unknown) => {
    if (value !== schema[keyword]) changed[keyword] = value;
  };
  for (const keyword of ['items', 'additionalProperties'] as const) {
    const inner = schema[keyword];
    if (typeof inner === 'object') set(keyword, rewrite(inner));
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) set(keyword, eachOf(schema[keyword], rewrite));
  set('properties', propertiesIn(schema.properties, words.fields, rewrite));
  set('patternProperties', propertiesIn(schema.patternProperties, {}, rewrite));
  set(
    'required',
    eachOf(schema.required, (name) => words.fields[name] ?? name),
  );
  set('enum', enumIn(schema.enum, words));
  if ('const' in schema) set('const', valueIn(schema.const, words.values));
  set('default', valueIn(schema.default, words.values));
  return Object.keys(changed).length === 0 ? schema : { ...schema, ...changed };
}

function eachOf<T>(list: readonly T[] | undefined, change: (item: T) => T): readonly T[] | undefined {
  const own = list?.map(change);
  return own?.some((item, index) => item !== list?.[index]) ? own : list;
}

function propertiesIn(properties: JsonSchema['properties'], fields: WordTable, rewrite: Rewrite) {
  if (properties === undefined) return undefined;
  const own = Object.entries(properties).map(([name, property]) => {
    const schema = rewrite(property);
    return { name: fields[name] ?? name, schema, isSame: schema === property && !(name in fields) };
  });
  if (own.every(({ isSame }) => isSame)) return properties;
  return Object.fromEntries(own.map(({ name, schema }) => [name, schema]));
}

function enumIn(declared: JsonSchema['enum'], { values, more = {} }: Words): JsonSchema['enum'] {
  const own = eachOf(declared, (value) => valueIn(value, values));
  const added = declared?.flatMap((value) => more[String(value)] ?? []) ?? [];
  return own && added.length > 0 ? [...own, ...added] : own;
}

function valueIn(value: unknown, values: WordTable): unknown {
  return typeof value === 'string' && Object.hasOwn(values, value) ? values[value] : value;
}
