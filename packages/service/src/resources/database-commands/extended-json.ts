import { type Document, EJSON } from 'bson';

/** Extended JSON in which each value has the shortest form that keeps its type. */

/** Canonical Extended JSON, with relaxed numbers and dates where these are read with the same type. */
export function toExtendedJson(value: unknown): unknown {
  const { value: canonical } = EJSON.serialize({ value }, { relaxed: false });
  return shortened(canonical);
}

/** Throws for values that do not match the type that their key names, such as `$oid`. */
export function relaxed(document: Document): Document {
  return EJSON.serialize(document, { relaxed: true });
}

/** Throws for values that do not match the type that their key names. */
export function fromExtendedJson(document: Document): Document {
  return EJSON.deserialize(document, { relaxed: false });
}

const INT32 = 2 ** 31;

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [[key, inner] = [undefined, undefined]] = entries;
  // `Object.hasOwn`: a field may be called `toString`.
  if (entries.length === 1 && key !== undefined && Object.hasOwn(shortForms, key))
    return shortForms[key]?.(inner) ?? value;
  // Not an assignment: a field may be called `__proto__`.
  return Object.fromEntries(entries.map(([name, each]) => [name, shortened(each)]));
}

/** By type; undefined if the short form would be read as another type. */
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
