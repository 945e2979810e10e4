import Type, { type TSchema } from 'typebox';
import { readOnly } from '../../api/fields.ts';
import type { JsonSchema } from '../../api/schema/json-schema.ts';

/** This file declares fields with a constant value, which describe features that this service lacks. */

export const flag = (value: boolean) => readOnly(Type.Boolean({ default: value }));
export const text = (value: string) => readOnly(Type.String({ default: value }));
export const nothing = () => readOnly(Type.Null({ default: null }));

/** Returns the schema of a declared field without its default. A response then omits the field if it has no value. */
export function withoutDefault(
  properties: JsonSchema['properties'],
  name: string,
): Readonly<Record<string, TSchema>> {
  const declared = properties?.[name];
  if (declared === undefined) return {};
  const { default: _, ...schema } = declared;
  return { [name]: schema as TSchema };
}
