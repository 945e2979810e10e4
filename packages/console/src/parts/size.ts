/** Decimal units, as in the API. */
const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** Returns a number of bytes in a unit that people can compare, such as `17 kB` or `1.5 MB`. */
export function sizeText(bytes: number): string {
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? Math.ceil(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
