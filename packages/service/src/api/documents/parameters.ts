import type { FlagHeader, PathParameter } from '../operation.ts';
import { DEFAULT_ITEMS_PER_PAGE, MAX_ITEMS_PER_PAGE } from '../paging.ts';
import type { DescribedOperation, Placed } from './edition.ts';
import { namesIn } from './equivalent-paths.ts';
import { isObject, type JsonObject, present } from './json.ts';
import type { SchemaBook } from './schema-book.ts';

export type PathParameters = Readonly<Record<string, PathParameter>>;

const flag = (description: string, initial: boolean) => ({
  description,
  schema: { type: 'boolean', default: initial },
});

const standard: Readonly<Record<string, JsonObject>> = {
  envelope: flag(
    'Whether the body repeats the HTTP status: an entity becomes `{status, content}`, and a list gets the field `status`.',
    false,
  ),
  pretty: flag('Whether the JSON of the response is indented.', false),
};

const paging: Readonly<Record<string, JsonObject>> = {
  includeCount: flag('Whether the response includes `totalCount`.', true),
  itemsPerPage: {
    description: 'Maximum number of entities per page.',
    schema: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_ITEMS_PER_PAGE,
      default: DEFAULT_ITEMS_PER_PAGE,
    },
  },
  after: {
    description:
      'Cursor of the entity after which the page begins. The `next` link of each page contains the cursor for the next page. A page that is read by its cursor takes no longer than the first page.',
    schema: { type: 'string' },
  },
  pageNum: {
    description: 'Number of the page; the first is 1.',
    schema: { type: 'integer', minimum: 1, default: 1 },
  },
};

/** Query parameters shared by operations, as `components.parameters`. */
export const sharedParameters: JsonObject = Object.fromEntries(
  Object.entries({ ...standard, ...paging }).map(([name, rest]) => [name, { name, in: 'query', ...rest }]),
);

export function parametersOf(
  book: SchemaBook,
  known: PathParameters,
  { operation, path, shape }: Placed,
): JsonObject[] {
  const shown = namesIn(path);
  return [
    ...namesIn(operation.path).map((name, place) => pathParameter(shown[place] ?? name, known[name])),
    ...(operation.flags ?? []).filter(({ since }) => since <= shape.version).map(headerParameter),
    ...ownQuery(book, operation),
    ...Object.keys({ ...standard, ...(operation.list === 'page' ? paging : {}) })
      .filter((name) => operation.query?.properties[name] === undefined)
      .sort()
      .map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function pathParameter(name: string, rule: PathParameter | undefined): JsonObject {
  return present({
    name,
    in: 'path',
    required: true,
    description: rule?.description,
    schema: present({ type: 'string', minLength: 1, pattern: rule?.pattern }),
  });
}

function headerParameter({ header, description }: FlagHeader): JsonObject {
  return { name: header, in: 'header', ...flag(description, false) };
}

function ownQuery(book: SchemaBook, operation: DescribedOperation): JsonObject[] {
  const query: unknown = operation.query;
  if (!isObject(query) || !isObject(query.properties)) return [];
  const required = new Set(Array.isArray(query.required) ? query.required : []);
  return Object.entries(query.properties)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => {
      const { description, deprecated, ...schema } = book.write(member, 'request') as JsonObject;
      const initial = isObject(member) ? member.default : undefined;
      return present({
        name,
        in: 'query',
        required: required.has(name),
        description,
        deprecated,
        schema: present({ ...schema, default: initial }),
      });
    });
}
