import type { PlainObject } from '@portolan/foundation/plain-object';
import { isStorableText } from '@portolan/foundation/storable-text';
import type { TSchema } from 'typebox';
import type { PageRequest } from '../../store/page.ts';
import { utcDate } from '../dates.ts';
import { generalFaults } from '../faults.ts';
import { DEFAULT_ITEMS_PER_PAGE, MAX_ITEMS_PER_PAGE } from '../paging.ts';
import { asJsonSchema, type JsonSchema, objectShape } from './json-schema.ts';
import { validator } from './validator.ts';

/** A parsed query; a repeated parameter is an array. */
export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Reads an operation's own parameters; unknown parameters are ignored. */
export type QueryReader = (raw: RawQuery) => Promise<PlainObject>;

const none = Promise.resolve(Object.freeze({}));

/** How a dialect reads queries. */
interface QueryRules {
  /**
   * Whether the case of `true` and `false`, and of values of enumerations, is ignored, and lists of distinct values can
   * be longer than documented.
   */
  readonly isLenient?: boolean;
  /** Converts texts of the dialect, by parameter name. */
  readonly translators?: ReadonlyMap<string, (text: string) => string>;
}

/**
 * Converts strings as the schema requires, and adds defaults. Throws `MISSING_QUERY_PARAMETER`,
 * `INVALID_QUERY_PARAMETER`, `INVALID_DATE_FORMAT`.
 */
export function queryReader(schema: TSchema | undefined, rules: QueryRules = {}): QueryReader {
  if (schema === undefined) return () => none;
  const { properties, required } = objectShape(asJsonSchema(schema));
  if (properties.size === 0) return () => none;
  const validate = validator(rules.isLenient ? withLongLists(schema) : schema);
  return async (raw) => {
    const values: Record<string, unknown> = {};
    let given = false;
    for (const [name, property] of properties) {
      const text = raw[name];
      if (text === undefined && required.has(name)) throw generalFaults.MISSING_QUERY_PARAMETER(name);
      given ||= text !== undefined;
      const value = text === undefined ? property.default : parsed(name, property, text, rules);
      if (value !== undefined) values[name] = value;
    }
    const errors = given ? await validate(values) : undefined;
    const [, bad = ''] = errors?.at(-1)?.instancePath.split('/') ?? [];
    if (errors) throw generalFaults.INVALID_QUERY_PARAMETER(bad);
    return values;
  };
}

/** Allows any number of distinct values in lists. */
function withLongLists(schema: TSchema): TSchema {
  const { properties = {}, ...others } = asJsonSchema(schema);
  const changed = Object.entries(properties).map(([name, property]) => {
    const { maxItems: _, ...list } = property;
    return [name, property.uniqueItems === true ? list : property] as const;
  });
  return { ...others, properties: Object.fromEntries(changed) } as TSchema;
}

function parsed(
  name: string,
  schema: JsonSchema,
  text: string | readonly string[],
  rules: QueryRules,
): unknown {
  if (schema.type === 'array') {
    const texts = typeof text === 'string' ? [text] : text;
    return texts.map((item) => parsed(name, schema.items ?? {}, item, rules));
  }
  if (typeof text !== 'string' || !isStorableText(text)) throw generalFaults.INVALID_QUERY_PARAMETER(name);
  switch (schema.type) {
    case 'boolean':
      return flag(name, text, rules.isLenient);
    case 'integer':
      return wholeNumber(name, text);
    case 'number':
      if (!/^[+-]?\d+(\.\d+)?$/.test(text)) throw generalFaults.INVALID_QUERY_PARAMETER(name);
      return Number(text);
    default:
      return schema.format === 'date-time'
        ? date(name, text)
        : inCase(schema, rules.translators?.get(name)?.(text) ?? text, rules);
  }
}

/** Returns the value of an enumeration that differs from the text only in case, if case is ignored. */
function inCase({ enum: values = [] }: JsonSchema, text: string, { isLenient }: QueryRules): unknown {
  if (!isLenient) return text;
  const lower = text.toLowerCase();
  return values.find((value) => String(value).toLowerCase() === lower) ?? text;
}

function date(name: string, text: string): string {
  const value = utcDate(text);
  if (value === undefined) throw generalFaults.INVALID_DATE_FORMAT(text).at(name);
  return value;
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value))
    throw generalFaults.INVALID_QUERY_PARAMETER(name);
  return value;
}

function flag(name: string, given: string | readonly string[], isLenient = false): boolean {
  const text = isLenient && typeof given === 'string' ? given.toLowerCase() : given;
  if (text !== 'true' && text !== 'false') throw generalFaults.INVALID_QUERY_PARAMETER(name);
  return text === 'true';
}

/** The parameters of all operations, and the additional parameters of lists. */
export const FORMAT_PARAMETERS: readonly string[] = ['envelope', 'pretty'];
export const PAGE_PARAMETERS: readonly string[] = ['after', 'includeCount', 'itemsPerPage', 'pageNum'];

/** How a response is formatted (docs/contract/api.md 4.1 STD). */
export interface Format {
  readonly envelope: boolean;
  readonly pretty: boolean;
}

const plain: Format = { envelope: false, pretty: false };

/** Reads the format. Ignores invalid values, since the error response for them needs a format, too. */
export function requestedFormat(raw: RawQuery, isLenient = false): Format {
  if (raw.envelope === undefined && raw.pretty === undefined) return plain;
  const isOn = (text: RawQuery[string]) => text === 'true' || (isLenient && /^true$/i.test(String(text)));
  return { envelope: isOn(raw.envelope), pretty: isOn(raw.pretty) };
}

export function checkFormat(raw: RawQuery, isLenient = false): void {
  if (raw.envelope !== undefined) flag('envelope', raw.envelope, isLenient);
  if (raw.pretty !== undefined) flag('pretty', raw.pretty, isLenient);
}

const firstPage: PageRequest = { itemsPerPage: DEFAULT_ITEMS_PER_PAGE, pageNum: 1, includeCount: true };

/** Reads the paging parameters (docs/contract/api.md 4.1 PAGE). */
export function readPage(raw: RawQuery, isLenient = false): PageRequest {
  const { itemsPerPage, pageNum, includeCount, after } = raw;
  if (typeof after === 'string' && !isStorableText(after))
    throw generalFaults.INVALID_QUERY_PARAMETER('after');
  return {
    itemsPerPage: inRange('itemsPerPage', itemsPerPage, firstPage.itemsPerPage, MAX_ITEMS_PER_PAGE),
    pageNum: inRange('pageNum', pageNum, firstPage.pageNum, Number.MAX_SAFE_INTEGER / MAX_ITEMS_PER_PAGE),
    includeCount:
      includeCount === undefined ? firstPage.includeCount : flag('includeCount', includeCount, isLenient),
    ...(typeof after === 'string' && after !== '' ? { after } : {}),
  };
}

function inRange(name: string, text: RawQuery[string], initial: number, maximum: number): number {
  if (text === undefined) return initial;
  const value = typeof text === 'string' ? wholeNumber(name, text) : 0;
  if (value < 1 || value > maximum) throw generalFaults.INVALID_QUERY_PARAMETER(name);
  return value;
}
