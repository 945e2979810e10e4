/** JSON values as the documents hold them. */
export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same text for the same content: keys in alphabetical order at every depth. */
export function stableText(value: unknown): string {
  return JSON.stringify(value, (_, member) => (isObject(member) ? sorted(member) : member));
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Without the members that are undefined. */
export function present(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** `createUser` → `CreateUser`. */
export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
