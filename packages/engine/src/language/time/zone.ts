import { BoundedCache } from '@portolan/foundation/bounded-cache';

/** A time zone. `offsetAt` returns its offset from UTC in milliseconds. */
export interface Zone {
  readonly isUtc: boolean;
  offsetAt(ms: bigint): number;
}

export const utc: Zone = fixedZone(0);

function fixedZone(offset: number): Zone {
  return { isUtc: offset === 0, offsetAt: () => offset };
}

/** Maximum length of a name. The longest name of the time zone database has 30 characters. `Intl` reads any length. */
const LONGEST_NAME = 64;

const zones = new BoundedCache<string, Zone | undefined>({ entries: 200 });

/**
 * Accepts an Olson name (case-sensitive), `UTC`, `GMT`, `±hh`, `±hhmm` or `±hh:mm`. Returns `undefined` for anything
 * else.
 */
export function zoneOf(name: string): Zone | undefined {
  return name.length > LONGEST_NAME ? undefined : zones.of(name, makeZone);
}

function makeZone(name: string): Zone | undefined {
  const offset = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(name);
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0);
    return fixedZone((offset[1] === '-' ? -minutes : minutes) * 60_000);
  }
  if (name === 'UTC' || name === 'GMT') return utc;
  return isOlsonName(name) ? olsonZone(name) : undefined;
}

/**
 * Checks the case of a zone name, which `Intl` ignores but the server does not. Names are in mixed case, and
 * legacy names in capitals.
 */
function isOlsonName(name: string): boolean {
  return /^[A-Z]/.test(name) && (name === name.toUpperCase() ? name.length <= 8 : true);
}

function olsonZone(name: string): Zone | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
  const offsets = new BoundedCache<number, number>({ entries: 10_000 });
  return {
    isUtc: false,
    offsetAt(ms) {
      const quarter = Math.floor(clampToDate(ms) / QUARTER);
      return offsets.of(quarter, () => offsetOf(format, quarter * QUARTER));
    },
  };
}

/** Zone offsets change only at multiples of a quarter of an hour. */
const QUARTER = 900_000;
/** The range of dates that `Intl` can format. */
const DATE_LIMIT = 8_639_999_000_000_000;

function clampToDate(ms: bigint): number {
  return Math.max(-DATE_LIMIT, Math.min(DATE_LIMIT, Number(ms)));
}

function offsetOf(format: Intl.DateTimeFormat, ms: number): number {
  const parts: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(ms)) parts[type] = value;
  const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
  const local = new Date(0);
  local.setUTCFullYear(year, Number(parts.month) - 1, Number(parts.day));
  local.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second));
  return local.getTime() - Math.floor(ms / 1000) * 1000;
}

/**
 * Returns the time at which clocks in the zone show `local`. If clocks show it twice, returns the first
 * occurrence. If clocks skip it, uses the UTC offset before the change.
 */
export function fromLocal(local: bigint, zone: Zone): bigint {
  const day = 86_400_000n;
  const before = local - BigInt(zone.offsetAt(local - day));
  const after = local - BigInt(zone.offsetAt(local + day));
  if (BigInt(zone.offsetAt(before)) === local - before) return before;
  return BigInt(zone.offsetAt(after)) === local - after ? after : before;
}

export function toLocal(ms: bigint, zone: Zone): bigint {
  return ms + BigInt(zone.offsetAt(ms));
}
