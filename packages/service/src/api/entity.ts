import type { TSchema } from 'typebox';

/**
 * An entity is a schema that knows its name and its place: the operation that gets it, and how that operation's path
 * parameters are read off it. `links` come from here (contract 2.1): `self` by `self`, further relations from every
 * operation whose `reachedFrom` names the entity.
 */
export interface EntityRule<E> {
  readonly name: string;
  /** Operation id of the get; of several kinds of entity under one name, each may have its own. */
  readonly self: string | ((entity: E) => string);
  /** Values of the path parameters of `self` and of the operations reached from here. */
  readonly params: (entity: E) => Readonly<Record<string, string>>;
  /** Relations that this one has not, though others of its name do. */
  readonly lacks?: (entity: E) => readonly string[];
}

const rules = new WeakMap<TSchema, EntityRule<never>>();

/** Marks `schema` as an entity; the schema itself is answered. */
export function entity<S extends TSchema>(schema: S, rule: EntityRule<import('typebox').Static<S>>): S {
  rules.set(schema, rule);
  return schema;
}

export function entityRule(schema: TSchema): EntityRule<never> | undefined {
  return rules.get(schema);
}
