import type { TSchema } from 'typebox';
import { entityRule } from '../entity.ts';
import { Link, Tag } from '../fields.ts';
import { MAX_ITEMS_PER_PAGE } from '../paging.ts';
import type { Placed } from './edition.ts';
import { errorSchema } from './error-schema.ts';
import { capitalized, isObject, type JsonObject } from './json.ts';
import { type NamedSchema, nameIn, SchemaBook } from './schema-book.ts';
import type { Steps } from './steps.ts';

const shared: readonly NamedSchema[] = [
  { name: 'Error', schema: errorSchema, since: '' },
  { name: 'Link', schema: Link, since: '' },
  { name: 'Tag', schema: Tag, since: '' },
];

/**
 * Returns the named schemas of the operations, newest first. If several schemas have the same name, the newest keeps
 * the name.
 */
export function* schemaBookOf(placed: readonly Placed[]): Steps<SchemaBook> {
  const found: (NamedSchema & { readonly id: string })[] = [];
  for (const { shape, operation } of placed) {
    for (const schema of [shape.reply, shape.body])
      for (const named of namedWithin(schema))
        found.push({ ...named, since: shape.version, id: operation.id });
    yield;
  }
  found.sort((a, b) => b.since.localeCompare(a.since) || a.id.localeCompare(b.id));
  const book = new SchemaBook(shared);
  for (const named of found) {
    book.add(named);
    yield;
  }
  return book;
}

function namedWithin(schema: unknown): Omit<NamedSchema, 'since'>[] {
  if (Array.isArray(schema)) return schema.flatMap(namedWithin);
  if (!isObject(schema)) return [];
  const rule = entityRule(schema as TSchema);
  const inner = Object.values(schema).flatMap(namedWithin);
  if (rule === undefined) return inner;
  return [{ name: componentName(rule.name), schema, linked: rule.mayBeEmpty !== true }, ...inner];
}

/** `databaseUser` → `DatabaseUser`; characters not allowed in component names become `_`. */
function componentName(name: string): string {
  return capitalized(name).replace(/[^A-Za-z0-9._-]/g, '_');
}

/** Returns the schema of the body of a successful response; undefined for a response without a body. */
export function answerSchema(book: SchemaBook, { operation, shape }: Placed): JsonObject | undefined {
  if (shape.status === 204) return undefined;
  if (operation.bytes === 'text') return { type: 'string' };
  if (operation.bytes) return { type: 'string', format: 'binary' };
  const name = capitalized(operation.id);
  // Without a `reply` schema, the status alone determines whether there is a body.
  if (!shape.reply) return enveloped(book, `${name}Reply`, { type: 'object', additionalProperties: false });
  const one = book.write(shape.reply, 'reply') as JsonObject;
  if (operation.list === 'array') return enveloped(book, `${name}Reply`, { type: 'array', items: one });
  if (operation.list !== 'page') return enveloped(book, `${name}Reply`, one);
  return book.define(`${name}Page`, pageSchema(book, one));
}

const status: JsonObject = { type: 'integer', description: 'The HTTP status; only with `envelope=true`.' };

/**
 * Returns the schema of a document, with and without the wrapper that `envelope=true` adds. If the schema has no name,
 * it gets `name`.
 */
export function enveloped(book: SchemaBook, name: string, schema: JsonObject): JsonObject {
  const content = book.define(name, schema);
  const wrapped = {
    type: 'object',
    additionalProperties: false,
    required: ['content', 'status'],
    properties: { content, status },
  };
  return { anyOf: [content, book.define(`${nameIn(content)}Envelope`, wrapped)] };
}

/** Returns the schema of one page of a list. With `envelope=true`, a page also has the field `status`. */
function pageSchema(book: SchemaBook, one: JsonObject): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['links', 'results'],
    properties: {
      links: {
        type: 'array',
        description:
          'Links to this page (`self`) and, if they exist, to the previous (`previous`) and the next page (`next`).',
        minItems: 1,
        maxItems: 3,
        items: book.write(Link, 'reply'),
      },
      results: {
        type: 'array',
        maxItems: MAX_ITEMS_PER_PAGE,
        description: 'Entities on this page.',
        items: one,
      },
      status,
      totalCount: {
        type: 'integer',
        minimum: 0,
        description: 'Number of entities on all pages; absent with `includeCount=false`.',
      },
    },
  };
}
