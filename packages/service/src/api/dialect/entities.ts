import type { TSchema } from 'typebox';
import { entityRule } from '../entity.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { Words, WordTable } from './words.ts';

/** How the dialect changes one entity, in every operation and version. */
export interface EntityChange {
  /** The dialect's names of the entity's fields; they take precedence over the names for all entities. */
  readonly fields?: WordTable;
  /** Whether the entity has no links. */
  readonly isUnlinked?: boolean;
  /**
   * Returns the fields that the dialect adds to the entity, given its declared schema or one of the schema's
   * alternatives. The response contains the defaults of these fields, unless the handler or `present` returns other
   * values.
   */
  readonly more?: (schema: JsonSchema) => Readonly<Record<string, TSchema>>;
  /** Converts a document of the entity, in the dialect's words and without links. */
  readonly present?: (document: EntityDocument) => EntityDocument;
}

export type EntityDocument = Readonly<Record<string, unknown>>;

/** The changes of a dialect to words and entities. */
export interface EntityChanges {
  readonly words: Words;
  /** The changes of entities, by the name of the entity. */
  readonly entities: Readonly<Record<string, EntityChange>>;
}

/**
 * Returns the changes to the entity that `schema` describes; undefined if there are none, or if the schema describes no
 * entity.
 */
export function entityChange({ entities }: EntityChanges, schema: object): EntityChange | undefined {
  const name = entityRule(schema as TSchema)?.name;
  return name !== undefined && Object.hasOwn(entities, name) ? entities[name] : undefined;
}

/**
 * Returns the table of field names for `schema`: the names that the dialect declares for the entity of this schema,
 * or else `outer`.
 */
export function fieldWords(changes: EntityChanges, schema: object, outer: WordTable): WordTable {
  const own = entityChange(changes, schema)?.fields;
  return own === undefined ? outer : { ...changes.words.fields, ...own };
}

/**
 * Returns the schema of an entity that is already in the dialect's words, without links and with the additional fields.
 */
export function changedEntity(schema: JsonSchema, change: EntityChange): JsonSchema {
  const { isUnlinked, more } = change;
  const anyOf = schema.anyOf?.map((branch) => changedEntity(branch, change));
  if (schema.properties === undefined) return { ...schema, ...(anyOf && { anyOf }) };
  const { links, ...others } = schema.properties;
  const kept = isUnlinked || links === undefined ? others : { ...others, links };
  return { ...schema, ...(anyOf && { anyOf }), properties: { ...kept, ...more?.(schema) } as typeof kept };
}
