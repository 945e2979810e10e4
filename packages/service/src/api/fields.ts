import { ID_PATTERN } from '@portolan/foundation/ids';
import Type, { type TSchema } from 'typebox';

/** This file defines fields that the resources share (docs/contract/api.md 2.1). */

/**
 * Keyword for constraints that the rules of a family check, with their own error codes: bounds, formats, required
 * fields. The OpenAPI documents show them; the validator ignores them.
 */
export const RULES = 'rules';

/** Adds the constraints that rules check to a schema, so that rules and documents use the same values. */
export const ruled = <S extends TSchema>(schema: S, rules: object): S => ({ ...schema, [RULES]: rules });

/** Returns the schema of an identifier. */
export const Id = (options: object = {}) => Type.String({ pattern: ID_PATTERN, ...options });

/** Returns the schema of a date in ISO 8601. Handlers receive the date as UTC text, and may return a Date. */
export const DateTime = (options: object = {}) =>
  Type.Unsafe<string | Date>(Type.String({ format: 'date-time', ...options }));

/** Returns the schema of a field whose value is one of a fixed list of texts. */
export const Choice = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });

export const Link = Type.Object({ href: Type.String(), rel: Type.String() });

/** Links of an entity or a list. The HTTP layer adds them to responses. */
export const Links = Type.Optional(Type.Array(Link, { readOnly: true }));

/** Makes a field read-only: callers may read it, but not set it. */
export const readOnly = <S extends TSchema>(schema: S) =>
  Type.Optional(Type.Unsafe<Type.Static<S>>({ ...schema, readOnly: true }));

/**
 * Returns the schema of a field that contains the time of the last change or the last use. It is read-only,
 * and the time only increases. A request body may contain an earlier value, because clients send back
 * documents that they have read before.
 */
export const LatestTime = (options: object = {}) => readOnly(DateTime({ advances: true, ...options }));

/** Marks a read-only field whose value has no effect: a request may contain any value. Use it within `readOnly`. */
export const ignored = <S extends TSchema>(schema: S): S => ({ ...schema, 'x-ignored': true });

/** Marks a text that counts as absent if it is empty. Some clients send unset fields as empty texts. */
export const emptyIsAbsent = <S extends TSchema>(schema: S): S => ({ ...schema, 'x-empty-is-absent': true });

/**
 * A pattern in the schema would accept texts that only resemble an address, so the rules of the family parse
 * the value.
 */
export const IpAddress = ruled(Type.String({ description: 'One IPv4 or IPv6 address.' }), {
  pattern: '^[0-9A-Fa-f.:]{2,45}$',
});
export const CidrBlock = ruled(Type.String({ description: 'A block of IPv4 or IPv6 addresses.' }), {
  pattern: '^[0-9A-Fa-f.:]{2,45}(/[0-9]{1,3})?$',
});

/** Key and value of a tag or label: 1 to 255 characters each (docs/contract/api.md 8). */
export const Tag = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 255 }),
  value: Type.String({ minLength: 1, maxLength: 255 }),
});

export type Tag = Type.Static<typeof Tag>;

/** Tags or labels of one resource. */
export const Tags = () => Type.Optional(Type.Array(Tag, { default: [], maxItems: 50 }));
