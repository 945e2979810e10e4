/** Database versions that a cluster may run: the major one that callers choose → the patch that is announced. */
const databaseVersions: Readonly<Record<string, string>> = {
  '5.0': '5.0.31',
  '6.0': '6.0.27',
  '7.0': '7.0.28',
  '8.0': '8.0.29',
};

/** Known, but not offered any more. */
export const endedVersions: readonly string[] = ['3.6', '4.2', '4.4'];

export const DEFAULT_MAJOR_VERSION = '8.0';

export const majorVersions = Object.keys(databaseVersions);

/** The version that a cluster of a major version runs. */
export function versionOf(majorVersion: string): string {
  return databaseVersions[majorVersion] ?? `${majorVersion}.0`;
}
