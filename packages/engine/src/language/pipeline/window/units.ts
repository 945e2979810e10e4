const milliseconds = {
  week: 604_800_000,
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1,
} as const;

const months = { year: 12, quarter: 3, month: 1 } as const;

export type TimeUnit = keyof typeof milliseconds | keyof typeof months;

export function isTimeUnit(name: string): name is TimeUnit {
  return Object.hasOwn(milliseconds, name) || Object.hasOwn(months, name);
}

/** Returns the length of a unit in milliseconds, or `undefined` if it depends on the date. */
export function lengthOf(unit: TimeUnit): number | undefined {
  return unit in milliseconds ? milliseconds[unit as keyof typeof milliseconds] : undefined;
}

/** Adds units to a date. A day after the end of the month becomes the last day of the month. */
export function later(date: number, count: number, unit: TimeUnit): number {
  const length = lengthOf(unit);
  if (length !== undefined) return date + count * length;
  const from = new Date(date);
  const month = from.getUTCMonth() + count * months[unit as keyof typeof months];
  const last = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const to = new Date(date);
  to.setUTCFullYear(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), last));
  return to.getTime();
}
