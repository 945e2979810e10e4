import type { Document } from 'mongodb';
import type { UpdateDescription } from './changes.ts';

/** The names of fields and the indexes of elements that lead to a value. */
type Path = readonly unknown[];
/** Returns the new value at the end of a path; `undefined` removes the field. */
type NewValue = (before: unknown) => unknown;

/**
 * Returns the document after an update. In contrast to an update with operators, this function keeps the order in which
 * the source added the fields, and accepts all names of fields.
 */
export function patched(
  document: Document,
  {
    updatedFields = {},
    removedFields = [],
    truncatedArrays = [],
    disambiguatedPaths = {},
  }: UpdateDescription,
): Document {
  const pathOf = (text: string): Path =>
    (Object.hasOwn(disambiguatedPaths, text) ? disambiguatedPaths[text] : undefined) ?? text.split('.');
  const changes: (readonly [Path, NewValue])[] = [
    ...removedFields.map((field) => [pathOf(field), () => undefined] as const),
    ...truncatedArrays.map(({ field, newSize }) => {
      const shorter: NewValue = (before) =>
        Array.isArray(before) ? before.slice(0, Number(newSize)) : before;
      return [pathOf(field), shorter] as const;
    }),
    ...Object.entries(updatedFields).map(([field, value]) => [pathOf(field), () => value] as const),
  ];
  return changes.reduce<Document>(
    (found, [path, value]) => withValue(found, path, value) as Document,
    document,
  );
}

/** Returns a copy of `node` with another value at a path. */
function withValue(node: unknown, [part, ...rest]: Path, value: NewValue): unknown {
  if (Array.isArray(node)) {
    const index = Number(part);
    return node.toSpliced(index, 1, next(node[index], rest, value));
  }
  const name = String(part);
  const fields = (node ?? {}) as Readonly<Record<string, unknown>>;
  const after = next(Object.hasOwn(fields, name) ? fields[name] : undefined, rest, value);
  if (after !== undefined) return { ...fields, [name]: after };
  const { [name]: _, ...others } = fields;
  return others;
}

const next = (before: unknown, rest: Path, value: NewValue) =>
  rest.length === 0 ? value(before) : withValue(before, rest, value);
