import { RULES } from '../fields.ts';
import { stableText } from '../schema/stable-text.ts';
import { commonFields } from './common-fields.ts';
import { isObject, type JsonObject, present } from './json.ts';
import { kindOf } from './vocabulary.ts';

const COMPONENTS = '#/components/schemas/';

/** Whether a component describes a request or a response. */
export type Direction = 'request' | 'reply';

export interface NamedSchema {
  readonly name: string;
  readonly schema: object;
  /** The version that introduced the schema. It distinguishes schemas with the same name. */
  readonly since: string;
  /** Whether every object of the schema has `links` in responses (docs/contract/api.md 2.1). */
  readonly linked?: boolean;
}

/**
 * The schemas of one document. A named schema is written once, under `components.schemas`, and referenced elsewhere.
 * Schemas with equal content count as the same schema, because a schema is copied when it is made optional or
 * read-only. Objects are closed: they have no further fields. In requests, read-only fields are optional; responses
 * have no write-only fields. A schema that differs between requests and responses gets a second component for
 * requests.
 */
export class SchemaBook {
  /** Component names, by schema object and by serialized content. */
  readonly #names = new Map<object | string, string>();
  readonly #sources = new Map<string, NamedSchema>();
  readonly #written = new Map<string, JsonObject>();
  readonly #components = new Map<string, string>();

  /** Of several schemas with the same name, the first keeps the name; the others append their version to it. */
  constructor(named: Iterable<NamedSchema>) {
    for (const one of named) this.add(one);
  }

  /**
   * Adds a schema. If an earlier schema has the same name, this schema gets a name with its version. Add the schemas
   * that must keep their names first.
   */
  add(one: NamedSchema): void {
    if (this.#names.has(one.schema)) return;
    const content = contentOf(one.schema);
    const holder = this.#sources.get(one.name);
    const isFree = !holder || contentOf(holder.schema) === content;
    const name = isFree ? one.name : `${one.name}_${one.since}`;
    this.#names.set(one.schema, name);
    if (!this.#names.has(content)) this.#names.set(content, name);
    if (!this.#sources.has(name)) this.#sources.set(name, one);
  }

  /** Returns the components referenced so far. */
  get components(): JsonObject {
    return Object.fromEntries(this.#written);
  }

  /** Adds an unnamed schema as a component, so that the document contains it only once. */
  define(name: string, schema: JsonObject): JsonObject {
    if (typeof schema.$ref === 'string') return schema;
    const known = this.#written.get(name);
    if (known !== undefined && stableText(known) !== stableText(schema)) {
      throw new Error(`Two schemas of a document have the name ${name}`);
    }
    this.#written.set(name, schema);
    return { $ref: COMPONENTS + name };
  }

  write(schema: unknown, direction: Direction): JsonObject | boolean {
    if (!isObject(schema)) return schema !== false;
    const name = this.#names.get(schema) ?? this.#names.get(contentOf(schema));
    if (name === undefined) return this.#expand(schema, direction, false);
    const $ref = COMPONENTS + this.#component(name, direction);
    return { $ref, ...accessMarks(schema) };
  }

  /** Whether the body may be omitted. An omitted body counts as an empty object. */
  takesEmpty(schema: object): boolean {
    const expanded = this.#expand(schema as JsonObject, 'request', false);
    return expanded.type === 'object' && expanded.required === undefined;
  }

  #component(name: string, direction: Direction): string {
    const known = this.#components.get(`${direction} ${name}`);
    if (known !== undefined) return known;
    const component = this.#writeComponent(name, direction);
    this.#components.set(`${direction} ${name}`, component);
    return component;
  }

  #writeComponent(name: string, direction: Direction): string {
    const { schema, linked } = this.#sources.get(name) as NamedSchema & { readonly schema: JsonObject };
    const written = withoutMarks(this.#expand(schema, 'reply', false));
    const reply = linked === true ? withLinks(written) : written;
    if (direction === 'request') {
      const request = withoutMarks(this.#expand(schema, 'request', false));
      if (stableText(request) !== stableText(reply)) {
        this.#written.set(`${name}Request`, request);
        return `${name}Request`;
      }
    }
    this.#written.set(name, reply);
    return name;
  }

  #expand(declared: JsonObject, direction: Direction, open: boolean): JsonObject {
    const schema = withRules(declared, direction);
    const required = requiredIn(schema, direction);
    const mayBeNull = direction === 'request' ? (name: string) => !required.includes(name) : () => false;
    const out: Record<string, unknown> = {};
    // Omit defaults from requests: generated clients would send them for unset fields, and an update would then reset
    // these fields.
    const unsaid = direction === 'request' ? 'default' : undefined;
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword.startsWith('$')) throw new Error(`A document cannot contain the schema keyword ${keyword}`);
      if (kindOf(keyword) === 'plain' && keyword !== unsaid) out[keyword] = value;
      else if (kindOf(keyword) === 'one') out[keyword] = this.write(value, direction);
      else if (kindOf(keyword) === 'map')
        out[keyword] = this.#properties(value as JsonObject, direction, mayBeNull);
      else if (kindOf(keyword) === 'list') out[keyword] = this.#list(keyword, value, direction, open);
    }
    if (required.length > 0) out.required = required;
    return closed(simplified(direction === 'reply' ? unmasked(out) : out), open);
  }

  #properties(members: JsonObject, direction: Direction, mayBeNull: (name: string) => boolean): JsonObject {
    const kept = Object.entries(members).filter(([, member]) => !hiddenIn(member, direction));
    return Object.fromEntries(
      kept.map(([name, member]) => {
        const written = described(name, this.write(member, direction));
        return [name, mayBeNull(name) ? orNull(written) : written];
      }),
    );
  }

  /** Writes a list of schemas. Parts of an intersection are not closed: a value also has the fields of other parts. */
  #list(keyword: string, members: unknown, direction: Direction, open: boolean): unknown[] {
    const shared = keyword === 'allOf' || (open && keyword !== 'prefixItems');
    return (members as unknown[]).map((member) =>
      shared && isObject(member) ? this.#expand(member, direction, true) : this.write(member, direction),
    );
  }
}

/**
 * Adds the common description of a field, unless the field's schema has a description. A reference gets none, since
 * it has the description of its component.
 */
function described(name: string, written: JsonObject | boolean): JsonObject | boolean {
  const isDescribed = (one: unknown): boolean =>
    isObject(one) && (one.description !== undefined || one.$ref !== undefined);
  if (!isObject(written) || isDescribed(written) || !Object.hasOwn(commonFields, name)) return written;
  if (Array.isArray(written.anyOf) && written.anyOf.some(isDescribed)) return written;
  return { ...written, description: commonFields[name] };
}

/** Returns the component name of a reference. */
export function nameIn({ $ref }: JsonObject): string {
  return String($ref).slice(COMPONENTS.length);
}

function contentOf(schema: object): string {
  return stableText(withoutMarks(schema as JsonObject));
}

function withoutMarks({ readOnly: _, writeOnly: __, ...rest }: JsonObject): JsonObject {
  return rest;
}

function withLinks(schema: JsonObject): JsonObject {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return { ...schema, required: [...new Set([...required, 'links'])].sort() };
}

function accessMarks({ readOnly, writeOnly }: JsonObject): JsonObject {
  return { ...(readOnly === true && { readOnly }), ...(writeOnly === true && { writeOnly }) };
}

function hiddenIn(member: unknown, direction: Direction): boolean {
  return direction === 'reply' && isObject(member) && member.writeOnly === true;
}

/** Adds the constraints of requests that the rules of a resource family check instead of the validator. */
function withRules({ [RULES]: rules, ...schema }: JsonObject, direction: Direction): JsonObject {
  if (!isObject(rules) || direction === 'reply') return schema;
  const required = [schema.required, rules.required].flatMap((names) => (Array.isArray(names) ? names : []));
  return { ...schema, ...rules, ...(required.length > 0 && { required }) };
}

/** Makes the schema of an optional field also accept null, which means the same as an absent field (decision 0005). */
function orNull(schema: JsonObject | boolean): JsonObject | boolean {
  if (!isObject(schema)) return schema;
  // Do not add null to `enum`, since some generators of clients would turn it into a constant.
  if (typeof schema.type === 'string' && schema.enum === undefined) {
    return { ...schema, type: [schema.type, 'null'] };
  }
  const { readOnly, writeOnly, description, ...rest } = schema;
  const alternatives = Array.isArray(rest.anyOf) && Object.keys(rest).length === 1 ? rest.anyOf : [rest];
  if (Object.keys(rest).length === 0) return schema;
  return present({ anyOf: [...alternatives, { type: 'null' }], description, readOnly, writeOnly });
}

/**
 * Returns the fields that are always present: in a request, the required fields that callers may set; in a response,
 * also the fields with a default.
 */
function requiredIn(schema: JsonObject, direction: Direction): string[] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const declared = new Set(Array.isArray(schema.required) ? schema.required : []);
  const asked = Object.entries(properties).filter(([name, member]) => {
    if (!isObject(member)) return declared.has(name);
    if (direction === 'request') return declared.has(name) && member.readOnly !== true;
    return member.writeOnly !== true && (declared.has(name) || member.default !== undefined);
  });
  return asked.map(([name]) => name).sort();
}

/**
 * Removes constraints on the format of a secret, since responses contain the masked secret (docs/contract/api.md 2.1).
 */
function unmasked(schema: Record<string, unknown>): Record<string, unknown> {
  if (schema['x-mask'] === undefined) return schema;
  const { pattern: _, format: __, minLength: ___, maxLength: ____, ...rest } = schema;
  return rest;
}

/** Writes two kinds of schemas in a shorter form: records with any key, and choices of constant strings. */
function simplified(schema: Record<string, unknown>): Record<string, unknown> {
  const { patternProperties, anyOf, ...rest } = schema;
  if (isObject(patternProperties) && Object.keys(patternProperties).join() === '^.*$') {
    return { ...rest, additionalProperties: patternProperties['^.*$'] };
  }
  const choice = Array.isArray(anyOf)
    ? anyOf.map((member) => (isObject(member) ? member.const : undefined))
    : [];
  if (choice.length > 0 && choice.every((value) => typeof value === 'string')) {
    return { ...rest, type: 'string', enum: choice };
  }
  return schema;
}

function closed(schema: Record<string, unknown>, open: boolean): JsonObject {
  if (open) return schema;
  if (schema.allOf !== undefined) return { unevaluatedProperties: false, ...schema };
  return schema.type === 'object' ? { additionalProperties: false, ...schema } : schema;
}
