import { ServerError } from '../../errors/server-error.ts';
import { FEATURE_COMPATIBILITY, releaseOf, VERSIONS } from '../../parameters/parameters.ts';
import { readStored, writeStored } from '../../parameters/stored.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { writing } from '../shared/presets.ts';
import { changeStoredParameters } from './stored-parameters.ts';

const CONFIRM_REQUIRED = 7_369_100;
const INVALID_VERSION = 4_926_900;

/**
 * The feature compatibility version of the previous release, by server version. The server supports this version in
 * addition to its own.
 */
const previousRelease: Readonly<Record<string, readonly string[]>> = {
  '5.0': ['4.4'],
  '6.0': ['5.0'],
  '7.0': ['6.0'],
  '8.0': ['7.0'],
  '8.2': ['8.0'],
};

/** Returns the feature compatibility versions that a server of this version supports, its own first. */
function supportedBy(version: string): readonly string[] {
  const own = releaseOf(version);
  return [own, ...(previousRelease[own] ?? [])];
}

/**
 * Stores the feature compatibility version of the server in the document that tools read. Keeps the stored version if
 * the server supports it and `follows` is false. `follows` is true if the server was upgraded, and the stored version
 * was the server's own version before the upgrade. The oplog does not contain this write, because each cluster file has
 * its own version.
 */
export function storeFeatureCompatibility(
  { store, topology, parameters }: Pick<ClusterContext, 'store' | 'topology' | 'parameters'>,
  follows: boolean,
): void {
  const [own = '', ...others] = supportedBy(topology.version);
  const stored = readStored(store, VERSIONS, FEATURE_COMPATIBILITY)?.string('version');
  if (stored === own || (stored !== undefined && others.includes(stored) && !follows)) return;
  store.writeUnlogged(() => writeStored(store, VERSIONS, FEATURE_COMPATIBILITY, { version: own }));
  parameters.load();
}

const setFeatureCompatibilityVersion = command({
  name: 'setFeatureCompatibilityVersion',
  ...writing,
  database: 'admin',
  audit: 'none',
  privileges: () => [{ action: 'setFeatureCompatibilityVersion' }],
  fields: {
    setFeatureCompatibilityVersion: 'string!',
    confirm: 'truth',
    dryRun: 'truth',
    downgradeOnDiskChanges: 'truth',
    fromConfigServer: 'truth',
    phase: 'string',
    changeTimestamp: 'timestamp',
  },
  run({ setFeatureCompatibilityVersion: wanted, confirm = false, dryRun = false }, _request, cluster) {
    const known = supportedBy(cluster.topology.version);
    if (!known.includes(wanted)) {
      throw new ServerError(
        INVALID_VERSION,
        `Invalid feature compatibility version value '${wanted}'; expected ${known
          .map((version) => `'${version}'`)
          .join(' or ')}.`,
      );
    }
    if (!confirm && !dryRun) {
      throw new ServerError(
        CONFIRM_REQUIRED,
        'Once you have changed the feature compatibility version, you cannot return to the previous one by ' +
          'yourself. To proceed, run the command again with `confirm: true`.',
      );
    }
    if (dryRun || wanted === cluster.parameters.featureCompatibilityVersion) return {};
    changeStoredParameters(cluster, () => {
      writeStored(cluster.store, VERSIONS, FEATURE_COMPATIBILITY, { version: wanted });
    });
    return {};
  },
});

export const featureCompatibilityCommands: readonly Command[] = [setFeatureCompatibilityVersion];
