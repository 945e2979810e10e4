import { addCount, type Tx } from '../../../store/index.ts';
import type { StoredNotification } from '../notifications/read.ts';
import { configuredEvents, insertWritten, type WrittenConfiguration, writeDocument } from './rows.ts';
import { configurationCount } from './rules.ts';
import type { MetricThreshold, Threshold } from './schema.ts';

interface Default {
  readonly eventType: string;
  readonly threshold?: Threshold;
  readonly metricThreshold?: MetricThreshold;
  readonly disabled?: boolean;
  /** Whether to notify all members of the project, not only its owners. */
  readonly everybody?: boolean;
  /** Delay in minutes. */
  readonly delay?: number;
  /** Interval in minutes; 60 by default. */
  readonly interval?: number;
}

const above = (metricName: string, threshold: number): MetricThreshold => ({
  metricName,
  mode: 'AVERAGE',
  operator: 'GREATER_THAN',
  threshold,
  units: 'RAW',
});
const metric = (metricName: string, threshold: number, more: Partial<Default> = {}): Default => ({
  eventType: 'OUTSIDE_METRIC_THRESHOLD',
  metricThreshold: above(metricName, threshold),
  ...more,
});

/** The default configurations of a new project (docs/contract/access.md 8.9, up to the row JOINED_GROUP). */
const defaults: readonly Default[] = [
  {
    eventType: 'REPLICATION_OPLOG_WINDOW_RUNNING_OUT',
    threshold: { operator: 'LESS_THAN', threshold: 1, units: 'HOURS' },
  },
  { eventType: 'NO_PRIMARY', delay: 15 },
  { eventType: 'CLUSTER_MONGOS_IS_MISSING', delay: 15 },
  metric('CONNECTIONS_PERCENT', 80),
  metric('DISK_PARTITION_SPACE_USED_DATA', 90),
  metric('NORMALIZED_SYSTEM_CPU_USER', 95),
  metric('NORMALIZED_SYSTEM_CPU_STEAL', 50, { disabled: true }),
  metric('QUERY_TARGETING_SCANNED_OBJECTS_PER_RETURNED', 1000, { delay: 10 }),
  { eventType: 'CREDIT_CARD_ABOUT_TO_EXPIRE', interval: 1440 },
  { eventType: 'HOST_HAS_INDEX_SUGGESTIONS', delay: 10 },
  { eventType: 'JOINED_GROUP', everybody: true },
];

/** The configurations that a project with a maintenance window gets by default. */
const ofMaintenance: readonly Default[] = [
  { eventType: 'MAINTENANCE_IN_ADVANCED' },
  { eventType: 'MAINTENANCE_STARTED' },
  { eventType: 'MAINTENANCE_NO_LONGER_NEEDED' },
];

/** Adds the default configurations of a new project. Records no audit events. */
export async function addDefaults(tx: Tx, groupId: string): Promise<void> {
  await add(tx, groupId, defaults);
}

/**
 * Adds the default configurations for maintenance windows. Skips event types for which the project already has a
 * configuration.
 */
export async function addMaintenanceDefaults(tx: Tx, groupId: string): Promise<void> {
  const known = await configuredEvents(tx, groupId);
  await add(
    tx,
    groupId,
    ofMaintenance.filter(({ eventType }) => !known.has(eventType)),
  );
}

async function add(tx: Tx, groupId: string, wanted: readonly Default[]): Promise<void> {
  if (wanted.length === 0) return;
  await insertWritten(
    tx,
    wanted.map((each) => rowOf(tx, groupId, each)),
  );
  await addCount(tx, configurationCount, groupId, wanted.length);
}

function rowOf(tx: Tx, groupId: string, each: Default): WrittenConfiguration {
  const { eventType, disabled = false } = each;
  const [before, after] = textsOf(each);
  const document = before + tx.id() + after;
  const [created, updated] = [tx.now, tx.now];
  return {
    id: tx.id(),
    groupId,
    created,
    updated,
    enabled: !disabled,
    eventType,
    document,
    secrets: undefined,
    weight: 0,
  };
}

/** Stands for the id of a notification in the texts below. */
const ID_PLACE = '<id>';

const texts = new Map<Default, readonly [string, string]>();

/**
 * Returns the JSON text of a default configuration, split at the id of its notification. The text is created only
 * once, because each new project gets eleven documents that differ only in this id.
 */
function textsOf(each: Default): readonly [string, string] {
  let known = texts.get(each);
  if (known === undefined) {
    const { threshold, metricThreshold } = each;
    const text = writeDocument({
      matchers: [],
      notifications: [notificationOf(ID_PLACE, each)],
      ...(threshold && { threshold }),
      ...(metricThreshold && { metricThreshold }),
    });
    const [before = '', after = ''] = text.split(ID_PLACE);
    known = [before, after];
    texts.set(each, known);
  }
  return known;
}

function notificationOf(notifierId: string, { everybody, delay, interval }: Default): StoredNotification {
  return {
    typeName: 'GROUP',
    notifierId,
    delayMin: delay ?? 0,
    intervalMin: interval ?? 60,
    emailEnabled: true,
    smsEnabled: false,
    ...(everybody ? {} : { roles: ['GROUP_OWNER'] }),
  };
}
