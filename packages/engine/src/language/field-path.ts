import { ServerError } from '../errors/server-error.ts';

/** Maximum number of parts of a path. No document is nested this deeply. */
const MAX_PARTS = 200;

/**
 * Checks an aggregation field path: no part may be empty or begin with `$`. (Filters and updates have other rules.)
 * `joined` is true if the path was built from nested documents. The server has another error code for such a path.
 */
export function checkFieldPath(path: string, joined = false): void {
  if (path === '') throw new ServerError(40352, 'FieldPath cannot be constructed with empty string');
  if (path.endsWith('.')) throw new ServerError(40353, "FieldPath must not end with a '.'.");
  const parts = path.split('.', MAX_PARTS + 1);
  if (parts.length > MAX_PARTS) {
    throw new ServerError(
      joined ? 5984700 : 'Overflow',
      `FieldPath is too long: more than ${MAX_PARTS} parts`,
    );
  }
  for (const part of parts) checkFieldName(part);
}

/** The only field names that may begin with `$`: those of a DBRef. */
export const referenceNames: ReadonlySet<string> = new Set(['$id', '$ref', '$db']);

/** Checks one part of a path, or the name of a field that a stage adds. */
export function checkFieldName(name: string): void {
  if (name === '') throw new ServerError(15998, 'FieldPath field names may not be empty strings.');
  if (name.startsWith('$') && !referenceNames.has(name)) {
    throw new ServerError(
      16410,
      "FieldPath field names may not start with '$'. Consider using $getField or $setField.",
    );
  }
  if (name.includes('\0')) throw new ServerError(16411, 'FieldPath field names may not contain null bytes.');
  if (name.includes('.')) {
    throw new ServerError(
      16412,
      "FieldPath field names may not contain '.'. Consider using $getField or $setField.",
    );
  }
}

/** True if a component of the path is `$`, the positional operator. */
export function isPositional(path: string): boolean {
  return /(?:^|\.)\$(?:\.|$)/.test(path);
}
