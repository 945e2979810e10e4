import { isPlainObject } from './json-schema.ts';

/** Serializes with sorted keys at every depth, so that equal content yields equal text. */
export function stableText(value: unknown): string {
  return JSON.stringify(value, (_, member) => (isPlainObject(member) ? sorted(member) : member));
}

export function sorted(object: { readonly [key: string]: unknown }): { readonly [key: string]: unknown } {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
