import type { TSchema } from 'typebox';
import { type EntityRule, entity, entityRule } from '../entity.ts';
import { asJsonSchema, isPlainObject } from '../schema/json-schema.ts';
import type { Translator } from './translate.ts';

/**
 * This file omits empty lists and other fields from responses. Some operations of a dialect omit fields that other
 * operations return.
 */

/** Returns the schema of the response without defaults for these lists, so that absent lists stay absent. */
export function withoutDefaults(reply: TSchema, names: readonly string[] = []): TSchema {
  const { properties = {} } = asJsonSchema(reply);
  const changed = names.flatMap((name) => {
    const { default: _, ...schema } = properties[name] ?? {};
    return name in properties ? [[name, schema] as const] : [];
  });
  if (changed.length === 0) return reply;
  const own = { ...reply, properties: { ...properties, ...Object.fromEntries(changed) } } as TSchema;
  const rule = entityRule(reply) as EntityRule<unknown> | undefined;
  return rule === undefined ? own : entity(own, rule);
}

/** Returns a translator that removes the lists with these names from a response if they are empty. */
export function omittedFrom(names: readonly string[]): Translator {
  const isOmitted = (name: string, value: unknown) =>
    names.includes(name) && Array.isArray(value) && value.length === 0;
  return (document) =>
    isPlainObject(document)
      ? Object.fromEntries(Object.entries(document).filter(([name, value]) => !isOmitted(name, value)))
      : document;
}

/** Returns a translator that removes the fields with these paths from a response. */
export function withoutFields(paths: readonly string[]): Translator {
  return (document) => paths.reduce<unknown>((changed, path) => without(changed, path.split('.')), document);
}

function without(document: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (!isPlainObject(document) || !Object.hasOwn(document, name)) return document;
  const { [name]: value, ...others } = document;
  return rest.length === 0 ? others : { ...document, [name]: without(value, rest) };
}
