import type { PlainObject } from '@portolan/foundation/plain-object';
import type { TSchema } from 'typebox';

/** The subset of JSON Schema that this service uses. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly maxProperties?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  /** Whether the service only increases a read-only time; see `LatestTime`. */
  readonly advances?: boolean;
  /** Whether a read-only field may have any value in a request. */
  readonly 'x-ignored'?: boolean;
  readonly 'x-empty-is-absent'?: boolean;
  /** Whether the value is JSON that responses contain unchanged, with its fields in the given order. */
  readonly 'x-verbatim'?: boolean;
  /** How a secret is masked; see `mask`. */
  readonly 'x-mask'?: 'secret' | 'privateKey';
}

export const asJsonSchema = (schema: TSchema): JsonSchema => schema as JsonSchema;

/** Fields of an object schema, including those of its `allOf` parts. */
export interface ObjectShape {
  readonly properties: ReadonlyMap<string, JsonSchema>;
  readonly required: ReadonlySet<string>;
  /** Schema of other fields; undefined if the object is closed. */
  readonly others: JsonSchema | undefined;
}

/** Returns the fields of an object schema. An object is closed unless its schema allows other fields. */
export function objectShape(schema: JsonSchema): ObjectShape {
  const parts = [schema, ...(schema.allOf ?? [])];
  return {
    properties: new Map(parts.flatMap((part) => Object.entries(part.properties ?? {}))),
    required: new Set(parts.flatMap((part) => part.required ?? [])),
    others: parts.map(otherFields).find((others) => others !== undefined),
  };
}

function otherFields(schema: JsonSchema): JsonSchema | undefined {
  const { additionalProperties, patternProperties } = schema;
  if (additionalProperties === true) return {};
  if (typeof additionalProperties === 'object') return additionalProperties;
  return patternProperties && Object.values(patternProperties)[0];
}

export function branchesOf(schema: JsonSchema): readonly JsonSchema[] | undefined {
  return schema.anyOf ?? schema.oneOf;
}

export function isObjectSchema(schema: JsonSchema): boolean {
  return schema.type === 'object' || schema.properties !== undefined || schema.allOf !== undefined;
}

/** Returns the alternative that a value selects by its JSON type or, for objects, by fields with a fixed value. */
export function branchFor(branches: readonly JsonSchema[], value: unknown): JsonSchema | undefined {
  let fitting = branches.filter((branch) => mayHold(branch, value));
  if (fitting.length === 0) fitting = branches.filter((branch) => isOfType(branch, value));
  if (fitting.length < 2 || !isPlainObject(value)) return fitting[0];
  return mostLike(fitting, value);
}

/** Chooses the alternative by required fixed values, then by required fields, then by the number of known fields. */
function mostLike(branches: readonly JsonSchema[], value: PlainObject) {
  const shapes = branches.map((branch) => ({ branch, ...objectShape(branch) }));
  const named = shapes.filter(({ properties, required }) =>
    properties
      .entries()
      .every(([name, field]) => !required.has(name) || !isFixed(field) || mayHold(field, value[name])),
  );
  const candidates = named.length > 0 ? named : shapes;
  const whole = candidates.find(({ required }) => required.values().every((name) => name in value));
  if (whole) return whole.branch;
  const names = Object.keys(value);
  const known = candidates.map(({ properties }) => names.filter((name) => properties.has(name)).length);
  return candidates[known.indexOf(Math.max(...known))]?.branch;
}

/**
 * Whether a value may belong to a schema, according to its type, its constants and its enumerations. Other
 * parts of the value may be invalid.
 */
export function mayHold(schema: JsonSchema, value: unknown): boolean {
  const branches = branchesOf(schema);
  if (branches) return branches.some((branch) => mayHold(branch, value));
  if ('const' in schema) return schema.const === value;
  if (schema.enum) return schema.enum.includes(value);
  if (!isOfType(schema, value)) return false;
  if (!isPlainObject(value) || !isObjectSchema(schema)) return true;
  return objectShape(schema)
    .properties.entries()
    .every(
      ([name, property]) => !isFixed(property) || value[name] === undefined || mayHold(property, value[name]),
    );
}

function isFixed(schema: JsonSchema): boolean {
  return 'const' in schema || schema.enum !== undefined;
}

function isOfType(schema: JsonSchema, value: unknown): boolean {
  if (schema.type === undefined) return true;
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
  return types.some((type) => {
    if (type === 'null') return value === null;
    if (type === 'array') return Array.isArray(value);
    if (type === 'object') return isPlainObject(value);
    if (type === 'integer') return typeof value === 'number' || typeof value === 'bigint';
    // The remaining JSON types have the same names as the results of typeof.
    return typeof value === type || (type === 'string' && value instanceof Date);
  });
}

export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
