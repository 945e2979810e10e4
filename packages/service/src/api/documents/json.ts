import { sorted, stableText } from '../schema/stable-text.ts';

/** An object of a JSON document. */
export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Serializes like `stableText`, but yields the text in pieces. Down to a depth of `levels`, each member of an object is
 * a piece of its own.
 */
export function* stablePieces(value: JsonObject, levels: number): Generator<string> {
  let before = '{';
  for (const [name, member] of Object.entries(sorted(value))) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    if (levels > 1 && isObject(member)) yield* stablePieces(member, levels - 1);
    else yield stableText(member);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** Returns the object without undefined members. */
export function present(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** `createUser` → `CreateUser`. */
export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
