/**
 * The address of a page is the part of the URL after `#`, which browsers do not send to the service. It consists of a
 * path and, after a question mark, of values such as the filters of a list.
 */

/** Texts by name. */
export type Values = Readonly<Record<string, string>>;

/** Returns the path in an address. */
export const pathIn = (address: string): string => address.replace(/\?.*$/s, '');

/** Returns the values in an address. Values that the address does not contain have their defaults. */
export function valuesIn<T extends Values>(address: string, defaults: T): T {
  const given = new URLSearchParams(address.slice(pathIn(address).length));
  const values = Object.entries(defaults).map(([name, value]) => [name, given.get(name) ?? value]);
  return Object.fromEntries(values) as T;
}

/** Returns an address with the same path and these values. It does not contain values that equal their defaults. */
export function withValues(address: string, values: Values, defaults: Values): string {
  const query = new URLSearchParams(
    Object.entries(values).filter(([name, value]) => value !== defaults[name]),
  ).toString();
  return query === '' ? pathIn(address) : `${pathIn(address)}?${query}`;
}
