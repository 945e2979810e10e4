import { badValue } from '../../../api/faults.ts';
import { can } from '../model/capabilities.ts';
import { type ClusterModel, type ClusterSpec, isSharded, type ServerArguments } from '../model/cluster.ts';
import { acceptedArguments } from '../model/servers.ts';
import { advancedConfigurationOf, mergeSettings, type TlsSettings } from '../model/settings.ts';
import { withoutDependentSettings } from '../rules/settings.ts';
import { argumentFaults } from './faults.ts';
import type { FormerArguments } from './schema.ts';

/** The values that responses show for arguments that are not set. */
const defaults: FormerArguments = {
  changeStreamOptionsPreAndPostImagesExpireAfterSeconds: null,
  chunkMigrationConcurrency: null,
  defaultMaxTimeMS: null,
  defaultReadConcern: null,
  defaultWriteConcern: null,
  failIndexKeyTooLong: null,
  javascriptEnabled: true,
  noTableScan: false,
  oplogMinRetentionHours: null,
  oplogSizeMB: null,
  queryStatsLogVerbosity: null,
  sampleRefreshIntervalBIConnector: null,
  sampleSizeBIConnector: null,
  transactionLifetimeLimitSeconds: null,
};

type Shown = Pick<ClusterModel, 'placement' | 'spec' | 'state'>;

/**
 * Returns the arguments of a cluster. For servers that the service did not start, returns the values that the
 * servers report. While a change is being applied to such servers, returns the values that a caller has set.
 * If the values of arguments are unknown, `javascriptEnabled` and `noTableScan` are omitted, and the others
 * are null.
 */
export function shownArguments(cluster: Shown): FormerArguments {
  const { arguments: set = {}, settings } = cluster.spec;
  const tls = advancedConfigurationOf(settings);
  if (can(cluster, 'startArguments')) return { ...defaults, ...(set as FormerArguments), ...tls };
  const { javascriptEnabled: _, noTableScan: _scan, ...unknown } = defaults;
  const reported = Object.entries(acceptedArguments(cluster) ?? {}).filter(([, value]) => value !== null);
  const wanted = cluster.state === 'IDLE' ? {} : (set as FormerArguments);
  return { ...unknown, ...Object.fromEntries(reported), ...wanted, ...tls };
}

/** The values that running servers get when a caller resets an argument. */
const resets: ServerArguments = {
  changeStreamOptionsPreAndPostImagesExpireAfterSeconds: -1,
  defaultMaxTimeMS: 0,
  defaultReadConcern: 'local',
  defaultWriteConcern: 'majority',
  transactionLifetimeLimitSeconds: 60,
};

/**
 * Returns the arguments of a body for a cluster. The servers of an adopted deployment keep a value until another one is
 * set, so null becomes the default value there.
 */
export function requestedArguments(
  cluster: Pick<Shown, 'placement'>,
  body: FormerArguments,
): FormerArguments {
  const accepted = acceptedArguments(cluster) ?? {};
  const reset = Object.entries(resets).filter(
    ([name]) =>
      body[name as keyof FormerArguments] === null && accepted[name as keyof ServerArguments] !== undefined,
  );
  return { ...body, ...Object.fromEntries(reset) };
}

/** Returns the spec with the arguments of a body. Throws for an argument that the cluster does not support. */
export function withArguments(spec: ClusterSpec, body: FormerArguments): ClusterSpec {
  if (spec.tenant) throw argumentFaults.TENANT_CLUSTER_PROCESS_ARGS_NOT_SUPPORTED();
  checkVersion(spec, body);
  checkOplog(spec, body);
  checkConcern(body.defaultWriteConcern);
  checkSamples(body);
  const { queryStatsLogVerbosity: verbosity } = body;
  if (typeof verbosity === 'number' && verbosity !== 1 && verbosity !== 3) {
    throw badValue('queryStatsLogVerbosity', 'must be 1 or 3');
  }
  const { tls, others } = dividedArguments(body);
  const named = Object.keys(tls).length === 0 ? {} : { advancedConfiguration: tls };
  const settings = withoutDependentSettings(mergeSettings(spec.settings, named), named, spec.settings);
  return { ...spec, arguments: { ...spec.arguments, ...(others as ServerArguments) }, settings };
}

/**
 * Divides the arguments of a body. TLS settings are stored with the settings of the cluster, because the response for
 * the cluster contains them too.
 */
function dividedArguments(body: FormerArguments): { tls: TlsSettings; others: FormerArguments } {
  const {
    customOpensslCipherConfigTls12,
    customOpensslCipherConfigTls13,
    minimumEnabledTlsProtocol,
    tlsCipherConfigMode,
    ...others
  } = body;
  const tls = Object.entries({
    customOpensslCipherConfigTls12,
    customOpensslCipherConfigTls13,
    minimumEnabledTlsProtocol,
    tlsCipherConfigMode,
  });
  return { tls: Object.fromEntries(tls.filter(([, value]) => value !== undefined)), others };
}

function checkVersion(spec: ClusterSpec, body: FormerArguments): void {
  const version = Number(spec.majorVersion);
  const { changeStreamOptionsPreAndPostImagesExpireAfterSeconds: images, ...others } = body;
  if (typeof images === 'number' && (version < 7 || images === 0 || images < -1)) {
    throw badValue(
      'changeStreamOptionsPreAndPostImagesExpireAfterSeconds',
      'must be -1 or positive, and requires version 7.0',
    );
  }
  const { defaultMaxTimeMS: limit, chunkMigrationConcurrency: chunks } = others;
  if (typeof limit === 'number' && (version < 8 || limit < 0)) {
    throw badValue('defaultMaxTimeMS', 'must not be negative, and requires version 8.0');
  }
  if (typeof chunks === 'number' && (chunks < 1 || !isSharded(spec))) {
    throw badValue('chunkMigrationConcurrency', 'must be positive, and requires a sharded cluster');
  }
}

const MIN_OPLOG_MB = 990;

function checkOplog(
  { diskSizeGB, settings }: ClusterSpec,
  { oplogSizeMB, oplogMinRetentionHours }: FormerArguments,
): void {
  if (typeof oplogSizeMB === 'number') {
    if (oplogSizeMB <= 0) throw argumentFaults.OPLOG_SIZE_MB_LESS_THAN_EQUAL_ZERO();
    if (oplogSizeMB < MIN_OPLOG_MB) throw argumentFaults.OPLOG_SIZE_MB_LESS_THAN_990();
    if (oplogSizeMB > diskSizeGB * 1024) throw argumentFaults.OPLOG_SIZE_MB_TOO_BIG(diskSizeGB);
  }
  if (typeof oplogMinRetentionHours !== 'number') return;
  if (oplogMinRetentionHours < 0) throw badValue('oplogMinRetentionHours', 'must not be negative');
  // The value 0 means no minimum, so that it needs no larger disk.
  if (oplogMinRetentionHours > 0 && !settings.autoScaling?.diskGBEnabled)
    throw argumentFaults.OPLOG_MIN_RETENTION_HOURS_NO_DISK_AUTO_SCALING();
}

function checkConcern(concern: string | null | undefined): void {
  if (typeof concern !== 'string' || concern === 'majority' || /^[1-7]$/.test(concern)) return;
  throw badValue('defaultWriteConcern', 'must be majority or a number from 1 to 7');
}

function checkSamples({
  sampleSizeBIConnector: size,
  sampleRefreshIntervalBIConnector: interval,
}: FormerArguments) {
  if (typeof size === 'number' && size < 0) throw argumentFaults.INVALID_SAMPLE_SIZE_BI_CONNECTOR();
  if (typeof interval === 'number' && interval < 0) {
    throw argumentFaults.INVALID_SAMPLE_REFRESH_INTERVAL_BI_CONNECTOR();
  }
}
