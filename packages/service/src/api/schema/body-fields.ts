import { utcDate } from '../dates.ts';
import { generalFaults } from '../faults.ts';
import {
  asJsonSchema,
  branchesOf,
  branchFor,
  isObjectSchema,
  isPlainObject,
  type JsonSchema,
  mayHold,
  objectShape,
} from './json-schema.ts';

/** A body split into writable and read-only fields. */
export interface Fields {
  /**
   * The body without read-only fields and `links`, with dates in UTC. An explicit null for a field that is not nullable
   * counts as absent, since some clients send unset fields as null.
   */
  readonly body: unknown;
  readonly readOnly: ReadOnlyFields;
  /** The paths of fields that were sent and have no effect: empty, ignored and, in a lenient dialect, unknown ones. */
  readonly unread: readonly string[];
}

export interface ReadingOptions {
  /**
   * Whether to ignore read-only fields, and to treat empty unknown fields and empty enumerated fields as absent. An empty
   * text of a format, such as a mail address, becomes null if the field is nullable, and is absent otherwise.
   */
  readonly isLenient?: boolean;
}

/** Read-only fields of a body by dotted path, as sent. */
export interface ReadOnlyFields extends ReadonlyMap<string, unknown> {
  /** The paths of `LatestTime` fields, whose values the service updates. */
  readonly advancing: ReadonlySet<string>;
}

class Found extends Map<string, unknown> implements ReadOnlyFields {
  readonly advancing = new Set<string>();
  readonly unread: string[] = [];
}

export const noReadOnlyFields: ReadOnlyFields = new Found();

/** The fields of a request without a body. */
export const noFields: Fields = { body: undefined, readOnly: noReadOnlyFields, unread: [] };

type Reader = (value: unknown, path: string, readOnly: Found) => unknown;

const asItIs: Reader = (value) => value;

/**
 * Reads documents of one schema. Throws `INVALID_ATTRIBUTE` for an unknown field at any depth; values are
 * validated later.
 */
export function fieldReader(schema: object, options: ReadingOptions = {}): (document: unknown) => Fields {
  const read = readerOf(asJsonSchema(schema), options);
  return (document) => {
    const readOnly = new Found();
    const body = read(document, '', readOnly);
    if (options.isLenient !== true) return { body, readOnly, unread: readOnly.unread };
    return { body, readOnly: noReadOnlyFields, unread: [...readOnly.unread, ...readOnly.keys()] };
  };
}

function readerOf(schema: JsonSchema, options: ReadingOptions): Reader {
  const branches = branchesOf(schema);
  if (branches) return alternativeReader(branches, options);
  if (isObjectSchema(schema)) return objectReader(schema, options);
  if (schema.type === 'array' && schema.items) return arrayReader(schema.items, options);
  if (schema.format === 'date-time')
    return (value) => (typeof value === 'string' ? (utcDate(value) ?? value) : value);
  return asItIs;
}

function alternativeReader(branches: readonly JsonSchema[], options: ReadingOptions): Reader {
  const readers = new Map(branches.map((branch) => [branch, readerOf(branch, options)]));
  return (value, path, readOnly) => {
    const branch = branchFor(branches, value);
    const read = (branch && readers.get(branch)) ?? asItIs;
    return read(value, path, readOnly);
  };
}

function arrayReader(items: JsonSchema, options: ReadingOptions): Reader {
  const read = readerOf(items, options);
  return (value, path, readOnly) =>
    Array.isArray(value) ? value.map((item, index) => read(item, below(path, index), readOnly)) : value;
}

interface Property {
  readonly read: Reader;
  readonly readOnly: boolean;
  readonly advances: boolean;
  readonly ignored: boolean;
  readonly nullable: boolean;
  readonly emptyIsAbsent: boolean;
  /** Whether only listed values or texts of a format are valid, so that an empty string means an unset field. */
  readonly isNeverEmpty: boolean;
  /** Whether only null and texts of a format are valid, so that an empty string clears the field. */
  readonly isCleared: boolean;
}

function objectReader(schema: JsonSchema, options: ReadingOptions): Reader {
  const shape = objectShape(schema);
  const properties = new Map(
    shape.properties.entries().map(([name, property]) => [name, propertyOf(property, options)]),
  );
  const others = shape.others && propertyOf(shape.others, options);
  return (value, path, readOnly) => {
    if (!isPlainObject(value)) return value;
    const fields: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(value)) {
      const property = properties.get(name) ?? others;
      // Ignore links. A caller who reads an entity, changes it and sends it back also sends its links.
      if (name === 'links' && (property === undefined || property.readOnly)) continue;
      if (options.isLenient === true && field === '' && property?.isCleared) {
        fields[name] = null;
        continue;
      }
      const isUnread = options.isLenient === true && isUnset(field, property);
      if (property === undefined && !isUnread) throw generalFaults.INVALID_ATTRIBUTE(below(path, name));
      if (isUnread || property === undefined || isAbsent(field, property) || property.ignored) {
        readOnly.unread.push(below(path, name));
        continue;
      }
      if (property.advances) readOnly.advancing.add(below(path, name));
      if (property.readOnly) readOnly.set(below(path, name), field);
      else fields[name] = property.read(field, below(path, name), readOnly);
    }
    return fields;
  };
}

function propertyOf(schema: JsonSchema, options: ReadingOptions): Property {
  const { readOnly = false, advances = false } = schema;
  return {
    read: readerOf(schema, options),
    readOnly,
    advances,
    ignored: schema['x-ignored'] === true,
    nullable: mayHold(schema, null),
    emptyIsAbsent: schema['x-empty-is-absent'] === true,
    isNeverEmpty: schema.format !== undefined || (schema.enum !== undefined && !schema.enum.includes('')),
    isCleared: !readOnly && isFormatOrNull(branchesOf(schema) ?? []),
  };
}

function isFormatOrNull(branches: readonly JsonSchema[]): boolean {
  const texts = branches.filter((branch) => !mayHold(branch, null));
  return texts.length > 0 && texts.length < branches.length && texts.every(isFormat);
}

function isFormat({ type, format }: JsonSchema): boolean {
  return type === 'string' && format !== undefined;
}

function isAbsent(field: unknown, { nullable, emptyIsAbsent }: Property): boolean {
  return (field === null && !nullable) || (field === '' && emptyIsAbsent);
}

/**
 * Whether a client sent a field without setting it: an empty text where no valid value is empty, or an unknown field with
 * an empty value.
 */
function isUnset(field: unknown, property: Property | undefined): boolean {
  if (property !== undefined) return field === '' && property.isNeverEmpty;
  const isEmptyList = Array.isArray(field) && field.length === 0;
  return field === null || field === false || field === 0 || field === '' || isEmptyList;
}

function below(path: string, name: string | number): string {
  return path === '' ? String(name) : `${path}.${name}`;
}
