/**
 * Keeps the order of fields whose names are whole numbers. JavaScript moves such fields to the front of an object and
 * sorts them, but the order of fields is part of a database document. While a document is a JavaScript object, these
 * names begin with a marker.
 */

/**
 * A character for private use. A name that already begins with this character gets a second one, so that no name is
 * ambiguous.
 */
const MARKER = '\uf8fe';

/** Matches each string in a JSON text. The group matches only if the string is the name of a field. */
const STRINGS = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

const NUMBER = /^\d+$/;

/** Whether a JSON text may contain names that need a marker. */
export function mayReorder(text: string): boolean {
  return /"(?:\d|\uf8fe|\\u)/.test(text);
}

/** Like `JSON.parse`, with markers. Throws a `SyntaxError`. */
export function parseInOrder(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return mayReorder(text) ? JSON.parse(text.replaceAll(STRINGS, withMarker)) : value;
}

function withMarker(text: string, colon: string | undefined): string {
  if (colon === undefined) return text;
  const name = String(JSON.parse(text.slice(0, -colon.length)));
  return NUMBER.test(name) || name.startsWith(MARKER) ? `"${MARKER}${text.slice(1)}` : text;
}

/** Like `JSON.stringify`, without the markers. */
export function stringifyInOrder(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  return text.includes(`"${MARKER}`) ? text.replaceAll(STRINGS, withoutMarker) : text;
}

function withoutMarker(text: string, colon: string | undefined): string {
  return colon !== undefined && isMarked(text.slice(1)) ? `"${text.slice(1 + MARKER.length)}` : text;
}

export function isMarked(name: string): boolean {
  return name.startsWith(MARKER);
}

export function unmarked(name: string): string {
  return isMarked(name) ? name.slice(MARKER.length) : name;
}
