import { type Document, EJSON } from 'bson';

/** Extended JSON with the shortest form of each value that keeps its type. */

/**
 * Canonical Extended JSON, except for numbers and dates: these are relaxed if readers restore the same type from them.
 */
export function toExtendedJson(value: unknown): unknown {
  const { value: canonical } = EJSON.serialize({ value }, { relaxed: false });
  return shortened(canonical);
}

/**
 * Converts canonical to relaxed Extended JSON. Throws for a value that does not match the type of its key, such as
 * `$oid`.
 */
export function relaxed(document: Document): Document {
  return EJSON.serialize(document, { relaxed: true });
}

/** Throws for a value that does not match the type of its key. */
export function fromExtendedJson(document: Document): Document {
  return EJSON.deserialize(document, { relaxed: false });
}

const INT32 = 2 ** 31;

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [[key, inner] = [undefined, undefined]] = entries;
  // Use `Object.hasOwn`, since a field may be called `toString`.
  if (entries.length === 1 && key !== undefined && Object.hasOwn(shortForms, key))
    return shortForms[key]?.(inner) ?? value;
  // Do not assign fields, since a field may be called `__proto__`.
  return Object.fromEntries(entries.map(([name, each]) => [name, shortened(each)]));
}

/** Short forms by type. They return undefined if a reader would take the short form for another type. */
const shortForms: Readonly<Record<string, (inner: unknown) => unknown>> = {
  $numberInt: Number,
  $numberLong(text) {
    const number = Number(text);
    return Number.isSafeInteger(number) && Math.abs(number) > INT32 ? number : undefined;
  },
  $numberDouble(text) {
    const number = Number(text);
    return Number.isFinite(number) && !Number.isInteger(number) ? number : undefined;
  },
  $date(canonical) {
    const time = Number((canonical as { readonly $numberLong?: string }).$numberLong);
    const date = new Date(time);
    const isShort = time >= 0 && date.getUTCFullYear() <= 9999;
    return isShort ? { $date: date.toISOString() } : undefined;
  },
};
