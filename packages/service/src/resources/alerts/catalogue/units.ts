const KILO = 1000;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const steps = (first: number, names: readonly string[]) =>
  Object.fromEntries(names.map((name, place) => [name, first * KILO ** place]));

/**
 * The units of thresholds by set (docs/contract/access.md 8.6), with their factors to the base unit of the set. For
 * example, the base unit of `data` is the byte, and that of `time` is the millisecond. The prefixes of bits are powers
 * of 1,000; the prefixes of bytes are powers of 1,024.
 */
export const unitSets = {
  raw: { RAW: 1 },
  number: steps(1, ['COUNT', 'THOUSAND', 'MILLION', 'BILLION']),
  data: {
    ...steps(1 / 8, ['BITS', 'KILOBITS', 'MEGABITS', 'GIGABITS']),
    ...Object.fromEntries(
      ['BYTES', 'KILOBYTES', 'MEGABYTES', 'GIGABYTES', 'TERABYTES', 'PETABYTES'].map((name, place) => [
        name,
        1024 ** place,
      ]),
    ),
  },
  time: {
    NANOSECONDS: 1e-6,
    MILLISECONDS: 1,
    SECONDS: SECOND,
    MINUTES: MINUTE,
    HOURS: HOUR,
    DAYS: 24 * HOUR,
    MILLION_MINUTES: 1e6 * MINUTE,
  },
  readUnits: steps(1, ['RPU', 'THOUSAND_RPU', 'MILLION_RPU']),
  writeUnits: steps(1, ['WPU', 'THOUSAND_WPU', 'MILLION_WPU']),
} as const satisfies Readonly<Record<string, Readonly<Record<string, number>>>>;

export type UnitSet = keyof typeof unitSets;

/** The base unit of each set: the unit with the factor 1. Values are shown in this unit. */
export const baseUnits = Object.fromEntries(
  Object.entries(unitSets).map(([set, units]) => [
    set,
    Object.entries(units).find(([, factor]) => factor === 1)?.[0],
  ]),
) as Readonly<Record<UnitSet, string>>;

/** The default units of thresholds. */
export const defaultUnits: Readonly<Record<UnitSet, string>> = { ...baseUnits, time: 'HOURS' };

/** Returns the factor from a unit to the base unit of a set; undefined if the set lacks the unit. */
export function factorOf(set: UnitSet, unit: string): number | undefined {
  const units: Readonly<Record<string, number>> = unitSets[set];
  return Object.hasOwn(units, unit) ? units[unit] : undefined;
}
