import type { TSchema } from 'typebox';
import { entityRule } from '../entity.ts';
import { Link, Tag } from '../fields.ts';
import { MAX_ITEMS_PER_PAGE } from '../paging.ts';
import type { Placed } from './edition.ts';
import { errorSchema } from './error-schema.ts';
import { capitalized, isObject, type JsonObject } from './json.ts';
import { type NamedSchema, nameIn, SchemaBook } from './schema-book.ts';

const shared: readonly NamedSchema[] = [
  { name: 'Error', schema: errorSchema, since: '' },
  { name: 'Link', schema: Link, since: '' },
  { name: 'Tag', schema: Tag, since: '' },
];

/** The named schemas that the operations use, the newest first, so that older ones of the same name give way. */
export function schemaBookOf(placed: readonly Placed[]): SchemaBook {
  const found = placed.flatMap(({ shape, operation }) =>
    [shape.reply, shape.body].flatMap((schema) =>
      namedWithin(schema).map((named) => ({ ...named, since: shape.version, id: operation.id })),
    ),
  );
  found.sort((a, b) => b.since.localeCompare(a.since) || a.id.localeCompare(b.id));
  return new SchemaBook([...shared, ...found]);
}

function namedWithin(schema: unknown): Omit<NamedSchema, 'since'>[] {
  if (Array.isArray(schema)) return schema.flatMap(namedWithin);
  if (!isObject(schema)) return [];
  const rule = entityRule(schema as TSchema);
  const inner = Object.values(schema).flatMap(namedWithin);
  return rule ? [{ name: componentName(rule.name), schema, linked: true }, ...inner] : inner;
}

/** `databaseUser` → `DatabaseUser`; whatever a component's name may not hold becomes `_`. */
function componentName(name: string): string {
  return capitalized(name).replace(/[^A-Za-z0-9._-]/g, '_');
}

/** The schema of a successful answer's document; nothing where it has none. */
export function answerSchema(book: SchemaBook, { operation, shape }: Placed): JsonObject | undefined {
  if (shape.status === 204) return undefined;
  if (operation.bytes) return { type: 'string', format: 'binary' };
  const name = capitalized(operation.id);
  // Where there is nothing to tell, the status alone decides whether there is a body.
  if (!shape.reply) return enveloped(book, `${name}Reply`, { type: 'object', additionalProperties: false });
  const one = book.write(shape.reply, 'reply') as JsonObject;
  if (operation.list === 'array') return enveloped(book, `${name}Reply`, { type: 'array', items: one });
  if (operation.list !== 'page') return enveloped(book, `${name}Reply`, one);
  return book.define(`${name}Page`, pageSchema(book, one));
}

const status: JsonObject = { type: 'integer', description: 'The HTTP status; with `envelope=true` alone.' };

/** A document as it is, or as `envelope=true` wraps it. `name`: of a schema that has none. */
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

/** One page of a list; `envelope=true` adds the status to it. */
function pageSchema(book: SchemaBook, one: JsonObject): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['links', 'results'],
    properties: {
      links: {
        type: 'array',
        description:
          'This page (`self`), and the one before (`previous`) and after (`next`) where there is one.',
        minItems: 1,
        maxItems: 3,
        items: book.write(Link, 'reply'),
      },
      results: { type: 'array', maxItems: MAX_ITEMS_PER_PAGE, items: one },
      status,
      totalCount: {
        type: 'integer',
        minimum: 0,
        description: 'Size of the whole result; absent with `includeCount=false`.',
      },
    },
  };
}
