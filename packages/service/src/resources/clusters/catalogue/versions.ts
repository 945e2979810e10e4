/** Supported major versions of the database with their patch versions. */
const databaseVersions: Readonly<Record<string, string>> = {
  '5.0': '5.0.31',
  '6.0': '6.0.27',
  '7.0': '7.0.28',
  '8.0': '8.0.29',
};

/** Major versions that have reached their end of life. */
export const endedVersions: readonly string[] = ['3.6', '4.2', '4.4'];

export const DEFAULT_MAJOR_VERSION = '8.0';

export const majorVersions = Object.keys(databaseVersions);

/** The full version of a major version. */
export function versionOf(majorVersion: string): string {
  return databaseVersions[majorVersion] ?? `${majorVersion}.0`;
}
