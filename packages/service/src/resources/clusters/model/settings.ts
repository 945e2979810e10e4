import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { Choice, DateTime, Tags } from '../../../api/fields.ts';

/**
 * This file declares the settings of a cluster besides its nodes, with the contract's names. All API versions
 * store and return these settings as received. A setting is absent if no caller has set it.
 */

const optional = Type.Optional;
const flag = () => optional(Type.Boolean({ default: false }));

export const AdvancedConfiguration = Type.Object({
  customOpensslCipherConfigTls12: optional(
    Type.Array(Choice(['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256']), {
      default: [],
      maxItems: 2,
    }),
  ),
  minimumEnabledTlsProtocol: optional(Choice(['TLS1_0', 'TLS1_1', 'TLS1_2'])),
  tlsCipherConfigMode: optional(Choice(['CUSTOM', 'DEFAULT'])),
});
/** The TLS settings of the nodes. Only the vendor's form has ciphers of TLS 1.3. */
export interface TlsSettings extends Type.Static<typeof AdvancedConfiguration> {
  customOpensslCipherConfigTls13?: string[];
}

const AutoScaling = Type.Object({
  compute: optional(
    Type.Object({
      enabled: optional(
        Type.Boolean({
          default: false,
          description: 'Whether the service adapts the instance size to the load.',
        }),
      ),
      predictiveEnabled: flag(),
      scaleDownEnabled: flag(),
    }),
  ),
  diskGBEnabled: flag(),
});

const BiConnector = Type.Object({
  enabled: optional(
    Type.Boolean({
      default: false,
      description: 'Whether the BI connector is enabled. The value is stored, but has no effect.',
    }),
  ),
  readPreference: optional(
    Type.String({
      description: 'Nodes from which the BI connector reads. The value is stored, but has no effect.',
    }),
  ),
});
export type BiConnector = Type.Static<typeof BiConnector>;

/** Range of sizes for autoscaling. */
const ComputeLimits = Type.Object({
  maxInstanceSize: optional(Type.String()),
  minInstanceSize: optional(Type.String()),
});

const AnalyticsCompute = Type.Object({
  enabled: optional(Type.Boolean()),
  predictiveEnabled: optional(Type.Boolean()),
  scaleDownEnabled: optional(Type.Boolean()),
  ...ComputeLimits.properties,
});

/** Only the vendor's form has this setting. It is stored, but has no effect. */
const AdaptiveCapacity = optional(
  Type.Union([Choice(['ENABLED', 'DISABLED']), Type.Null()], { default: null }),
);

export const ClusterSettings = Type.Object({
  acceptDataRisksAndForceReplicaSetReconfig: optional(DateTime()),
  adaptiveCapacity: AdaptiveCapacity,
  // Compute autoscaling of the analytics nodes, if it differs. It is stored, but has no effect.
  analyticsCompute: optional(AnalyticsCompute),
  advancedConfiguration: optional(Type.Unsafe<TlsSettings>(AdvancedConfiguration)),
  autoScaling: optional(AutoScaling),
  backupEnabled: flag(),
  biConnector: optional(BiConnector),
  computeLimits: optional(ComputeLimits),
  configServerManagementMode: optional(Choice(['PLATFORM_MANAGED', 'FIXED_TO_DEDICATED'])),
  diskWarmingMode: optional(Choice(['FULLY_WARMED', 'VISIBLE_EARLIER'], { default: 'FULLY_WARMED' })),
  encryptionAtRestProvider: optional(Choice(['NONE', 'AWS', 'AZURE', 'GCP'], { default: 'NONE' })),
  globalClusterSelfManagedSharding: flag(),
  // Whether a request contained the autoscaling of analytics nodes. Dialects then show it even without such nodes.
  hasAnalyticsScaling: flag(),
  // Dialects set this field of global clusters.
  hasZonesOfAnySize: flag(),
  labels: Tags(),
  pitEnabled: flag(),
  providerBackupEnabled: flag(),
  redactClientLogData: flag(),
  replicaSetScalingStrategy: optional(
    Choice(['SEQUENTIAL', 'WORKLOAD_TYPE', 'NODE_TYPE'], { default: 'WORKLOAD_TYPE' }),
  ),
  rootCertType: optional(Choice(['ISRGROOTX1'], { default: 'ISRGROOTX1' })),
  serverlessBackupOptions: optional(
    Type.Object(
      {
        serverlessContinuousBackupEnabled: optional(
          Type.Boolean({ default: true, description: 'Whether the instance has continuous backup.' }),
        ),
      },
      { description: 'Backup settings of a serverless instance.' },
    ),
  ),
  tags: Tags(),
  terminationProtectionEnabled: flag(),
  // Only the vendor's form has this setting. It is stored, but has no effect.
  useAwsTimeBasedSnapshotCopyForFastInitialSync: flag(),
  versionReleaseSystem: optional(Choice(['LTS', 'CONTINUOUS'], { default: 'LTS' })),
});
export type ClusterSettings = Readonly<Type.Static<typeof ClusterSettings>>;

/** The schema of each setting. */
export const settings = ClusterSettings.properties;

const names = Object.keys(settings) as (keyof ClusterSettings)[];

/** Picks the settings from a body. */
export function settingsIn(body: ClusterSettings): ClusterSettings {
  return pickSettings(body, ...names);
}

/** Picks the settings with the given names that are present. */
export function pickSettings<Name extends keyof ClusterSettings>(
  given: ClusterSettings,
  ...wanted: readonly Name[]
): Pick<ClusterSettings, Name> {
  const set = wanted.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]);
  return Object.fromEntries(set);
}

/** Drops settings that equal their default, since clients send back the defaults that they have read. */
export function withoutDefaults(given: ClusterSettings): ClusterSettings {
  const differing = names.filter((name) => {
    const { default: byDefault } = settings[name] as { readonly default?: unknown };
    return !isDeepStrictEqual(given[name], byDefault);
  });
  return pickSettings(given, ...differing);
}

/** Merges objects recursively, but replaces lists and scalar values. */
export function mergeSettings(before: ClusterSettings, named: ClusterSettings): ClusterSettings {
  return merged(before, named);
}

function merged<T extends object>(before: T, named: T): T {
  const result = { ...before };
  for (const name of Object.keys(named) as (keyof T)[]) {
    const [old, value] = [before[name], named[name]];
    result[name] = isObject(value) && isObject(old) ? merged(old, value) : value;
  }
  return result;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the TLS settings of the nodes, with defaults. */
export function advancedConfigurationOf(given: ClusterSettings): Required<TlsSettings> {
  return {
    customOpensslCipherConfigTls12: [],
    customOpensslCipherConfigTls13: [],
    minimumEnabledTlsProtocol: 'TLS1_2',
    tlsCipherConfigMode: 'DEFAULT',
    ...given.advancedConfiguration,
  };
}

/** Returns the autoscaling settings, with defaults. */
export function autoScalingOf({ autoScaling = {} }: ClusterSettings) {
  const { compute, diskGBEnabled = false } = autoScaling;
  return {
    compute: { enabled: false, predictiveEnabled: false, scaleDownEnabled: false, ...compute },
    diskGBEnabled,
  };
}
