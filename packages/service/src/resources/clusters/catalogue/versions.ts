/** The supported major versions of the database. Each maps to the patch version that its clusters run. */
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

/**
 * Returns the major version for a copy of a deployment outside Portolan. `version` is the version of the servers of the
 * deployment. Returns the newest supported version that is not newer than `version` or, if all supported versions are
 * newer, the oldest of them.
 */
export function majorVersionOfCopy(version: string): string {
  const isUsable = (major: string) => Number(major) <= Number.parseFloat(version);
  return majorVersions.findLast(isUsable) ?? majorVersions[0] ?? DEFAULT_MAJOR_VERSION;
}

/** Like `majorVersionOfCopy`, but returns the full version. */
export const versionOfCopy = (version: string) => versionOf(majorVersionOfCopy(version));

/** Returns the version with the patch number, such as 8.0.29, for a major version. */
export function versionOf(majorVersion: string): string {
  return databaseVersions[majorVersion] ?? `${majorVersion}.0`;
}
