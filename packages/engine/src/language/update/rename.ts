import { bsonTypes } from '../../bson/bson-types.ts';
import { describe } from '../../bson/describe.ts';
import { encodeName, findField, type RawDocument } from '../../bson/raw.ts';
import { depthOf, MAX_DEPTH } from '../../bson/validate.ts';
import { type Element, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { describeId } from './describe.ts';
import type { UpdateLeaf } from './modifier.ts';
import { arrayPart } from './positional.ts';

/** Compiles `$rename`, which removes one field and sets another to its value. */
export function renameLeaves(field: Element): UpdateLeaf[] {
  const from = field.name;
  if (field.type !== bsonTypes.string) {
    throw new ServerError(
      'BadValue',
      `The 'to' field for $rename must be a string: ${from}: ${describe(field)}`,
    );
  }
  const to = textOf(field);
  check(from, to);
  const source = (document: RawDocument) => valueAt(document, from, 'source');
  return [
    {
      path: from,
      modifier: {
        depth: 0,
        creates: () => false,
        apply: (current) => (current === undefined ? 'keep' : 'remove'),
      },
    },
    {
      path: to,
      modifier: {
        depth: 0,
        creates: ({ document }) => source(document) !== undefined,
        apply(current, { document }) {
          const value = source(document);
          if (value === undefined) return 'keep';
          if (to === '_id') {
            throw new ServerError('ImmutableField', `$rename cannot put '${from}' in the place of '_id'`);
          }
          valueAt(document, to, 'destination');
          if (depthOf(value) + to.split('.').length > MAX_DEPTH) {
            throw new ServerError('Overflow', 'the renamed field would lie too deep');
          }
          return current?.identical(value) === true ? 'keep' : value;
        },
      },
    },
  ];
}

function check(from: string, to: string): void {
  const shown = `${from}: ${JSON.stringify(to)}`;
  if (from === '' || to === '') throw new ServerError('EmptyFieldName', 'An empty update path is not valid.');
  if (to.includes('\0')) {
    throw new ServerError(9867600, "The 'to' field for $rename cannot contain an embedded null byte");
  }
  if (from === to) {
    throw new ServerError('BadValue', `The source and target field for $rename must differ: ${shown}`);
  }
  for (const [which, path] of [
    ['source', from],
    ['destination', to],
  ] as const) {
    if (path.split('.').some((part) => part === '$' || arrayPart(part) !== undefined)) {
      throw new ServerError('BadValue', `The ${which} field for $rename may not be dynamic: ${path}`);
    }
  }
  if (from.startsWith(`${to}.`) || to.startsWith(`${from}.`)) {
    throw new ServerError(
      'BadValue',
      `The source and target field for $rename must not be on the same path: ${shown}`,
    );
  }
}

/** Returns the value at a path. Throws if the path leads through an array. */
function valueAt(document: RawDocument, path: string, which: string): Value | undefined {
  let value: Value | undefined = document.toValue();
  const parts = path.split('.');
  for (const [depth, part] of parts.entries()) {
    if (value?.type === bsonTypes.array) {
      throw new ServerError(
        'BadValue',
        `The ${which} field cannot be an array element, '${path}' in doc with ${describeId(document)} has an array field`,
      );
    }
    if (value === undefined) return undefined;
    if (value.type !== bsonTypes.object) {
      if (which === 'destination') return undefined;
      throw new ServerError(
        'PathNotViable',
        `Cannot use the part (${part}) of (${path}) to traverse the element`,
      );
    }
    value = depth === 0 ? fieldOf(document, part) : findField(value.bytes, value.start, encodeName(part));
  }
  return value;
}

/**
 * Number of lookups in one document after which a table of its fields is built, because an update may have 20,000
 * paths.
 */
const FEW_LOOKUPS = 16;
const lookups = new WeakMap<RawDocument, Lookups>();

interface Lookups {
  count: number;
  table?: ReadonlyMap<string, Value>;
}

function fieldOf(document: RawDocument, name: string): Value | undefined {
  const known = lookups.get(document) ?? { count: 0 };
  if (known.count++ === 0) lookups.set(document, known);
  if (known.count <= FEW_LOOKUPS) return document.get(name);
  known.table ??= tableOf(document);
  return known.table.get(name);
}

function tableOf(document: RawDocument): ReadonlyMap<string, Value> {
  const fields = new Map<string, Value>();
  for (const field of document) if (!fields.has(field.name)) fields.set(field.name, field);
  return fields;
}
