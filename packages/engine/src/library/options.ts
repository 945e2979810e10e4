const HIGHEST_PORT = 65_535;

/**
 * Throws a TypeError if the options are not an object, or for an unknown option, so that a misspelled name is
 * reported.
 */
export function checkNames(call: string, options: object, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(`the options of ${call} must be an object`);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`${call} has no option ${unknown}; its options are ${known.join(', ')}`);
}

/** Throws a TypeError unless the option is absent or has the type. */
export function checkType(
  name: string,
  value: unknown,
  ...types: readonly ('boolean' | 'object' | 'string')[]
): void {
  const is = value === null ? 'null' : typeof value;
  if (value === undefined || types.some((type) => type === is)) return;
  throw new TypeError(`${name} must be ${article(types)}; it was ${shown(value)}`);
}

/**
 * Returns the first of `count` consecutive ports. Returns undefined for 0, which means any free ports. Throws a
 * RangeError for an invalid port.
 */
export function portOf(port: unknown, count = 1): number | undefined {
  if (port === undefined || port === 0) return undefined;
  if (typeof port === 'number' && Number.isInteger(port) && port > 0 && port + count - 1 <= HIGHEST_PORT)
    return port;
  const most = HIGHEST_PORT - count + 1;
  throw new RangeError(`port must be an integer up to ${most}, or 0 for any; it was ${shown(port)}`);
}

function article(types: readonly string[]): string {
  return types.map((type) => (type === 'object' ? 'an object' : `a ${type}`)).join(' or ');
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
