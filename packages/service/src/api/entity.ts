import type { TSchema } from 'typebox';

/**
 * An entity is a schema with a name and an address. The address consists of the operation that returns the
 * entity, and of a function that reads the path parameters of this operation from the entity. The HTTP layer
 * derives the field `links` from this rule (docs/contract/api.md 2.1): the link `self` from the field `self`,
 * and the other links from the operations whose `reachedFrom` contains the name of the entity.
 */
export interface EntityRule<E> {
  readonly name: string;
  /** Id of the operation that returns the entity; entities with the same name can have different operations. */
  readonly self: string | ((entity: E, path: Readonly<Record<string, string>>) => string);
  /**
   * Values of the path parameters of `self` and of the linked operations. `path` has the parameters of the requested
   * path; the result may omit them.
   */
  readonly params: (entity: E, path: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  /** Returns the query of `self`, if the operation requires one. */
  readonly query?: (entity: E) => readonly (readonly [name: string, value: string])[];
  /**
   * Links that this entity lacks although other entities with the same name have them: names of relations, or ids of
   * the linked operations.
   */
  readonly lacks?: (entity: E) => readonly string[];
  /** Whether documents of the entity have no links. */
  readonly isUnlinked?: boolean;
  /** Whether an empty document represents an entity that does not exist. Such a document has no links. */
  readonly mayBeEmpty?: boolean;
}

const rules = new WeakMap<TSchema, EntityRule<never>>();

/** Marks `schema` as an entity, and returns the same schema. */
export function entity<S extends TSchema>(schema: S, rule: EntityRule<import('typebox').Static<S>>): S {
  rules.set(schema, rule);
  return schema;
}

export function entityRule(schema: TSchema): EntityRule<never> | undefined {
  return rules.get(schema);
}
