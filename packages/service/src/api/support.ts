import type { ReleaseDate } from './versions.ts';

/** The dates (`YYYY-MM-DD`) that the headers `Deprecation` and `Sunset` of a version contain. */
export interface Support {
  /** The date since which the version is deprecated. */
  readonly deprecated?: string;
  /** The date until which the version is supported. */
  readonly sunset?: string;
}

/**
 * First releases are supported for 24 months after their deprecation, later releases for 12 (docs/contract/access.md
 * 4).
 */
const FIRST_RELEASE_MONTHS = 24;
const LATER_RELEASE_MONTHS = 12;

/** Returns the dates of a version that another version has replaced, according to the contract. */
export function supportUntil(successor: ReleaseDate, isFirst: boolean): Support {
  const sunset = new Date(`${successor}T00:00:00Z`);
  sunset.setUTCMonth(sunset.getUTCMonth() + (isFirst ? FIRST_RELEASE_MONTHS : LATER_RELEASE_MONTHS));
  return { deprecated: successor, sunset: sunset.toISOString().slice(0, 10) };
}

export function isDeprecated({ deprecated, sunset }: Support): boolean {
  return deprecated !== undefined || sunset !== undefined;
}

export function supportHeaders({ deprecated, sunset }: Support): Readonly<Record<string, string>> {
  return {
    ...(deprecated !== undefined && { Deprecation: headerDate(deprecated) }),
    ...(sunset !== undefined && { Sunset: headerDate(sunset) }),
  };
}

/** Formats a date for a header, such as `Mon, 5 Aug 2024 00:00:00 GMT`: the day of the month has no leading zero. */
function headerDate(date: string): string {
  return new Date(`${date}T00:00:00Z`).toUTCString().replace(/ 0(\d )/, ' $1');
}
