import { type EventRecord, system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { recordInProject } from '../../projects/index.ts';
import { endingEvents, endings } from '../catalogue/endings.ts';
import { ownEvents } from '../catalogue/own-events.ts';
import type { AlertRow, AlertSubject } from '../model/rows.ts';

/** Records the beginning of a condition in the event feed, unless another family has recorded it. */
export async function recordBegun(tx: Tx, alert: AlertRow): Promise<void> {
  if (Object.hasOwn(ownEvents, alert.eventType)) await recordEvent(tx, alert.eventType, alert);
}

/**
 * Records the end of a state in the event feed, unless another family has recorded it. For example, the backup family
 * records completed snapshots.
 */
export async function recordEnded(tx: Tx, alert: AlertRow): Promise<void> {
  const type = endings[alert.eventType];
  if (type !== undefined && Object.hasOwn(endingEvents, type)) await recordEvent(tx, type, alert);
}

async function recordEvent(tx: Tx, type: string, alert: AlertRow): Promise<void> {
  const { id: alertId, configurationId: alertConfigId, groupId, document } = alert;
  const { clusterName, replicaSetName, hostnameAndPort, metricName, currentValue } = document.subject;
  const details = {
    alertId,
    alertConfigId,
    ...(replicaSetName === undefined ? {} : { replicaSetName }),
    ...(hostnameAndPort === undefined ? {} : addressOf(hostnameAndPort)),
    ...(metricName === undefined ? {} : { metricName }),
    ...(currentValue && { currentValue }),
  };
  const about = clusterName === undefined ? {} : { clusterName };
  await recordInProject(tx, groupId, { type, actor: system, ...about, details });
}

/** Records in the event feed that a notification of an alert was not delivered to all of its recipients. */
export async function recordFailure(tx: Tx, alert: AlertRow, reason: string): Promise<void> {
  const { id: alertId, configurationId: alertConfigId, groupId, document } = alert;
  const { clusterName } = document.subject;
  await recordInProject(tx, groupId, {
    type: 'ALERT_NOTIFICATION_FAILED',
    actor: system,
    ...(clusterName === undefined ? {} : { clusterName }),
    details: { alertId, alertConfigId, reason },
  });
}

function addressOf(hostnameAndPort: string): { readonly hostname: string; readonly port: number } {
  const colon = hostnameAndPort.lastIndexOf(':');
  return { hostname: hostnameAndPort.slice(0, colon), port: Number(hostnameAndPort.slice(colon + 1)) };
}

/** Returns the matcher fields and the alert subject of an event. */
export function subjectOf({ clusterName, details = {} }: EventRecord): {
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly subject: AlertSubject;
} {
  const { hostname, port, replicaSetName, shardName } = details as Readonly<
    Record<string, string | undefined>
  >;
  const hostnameAndPort = hostname === undefined ? undefined : `${hostname}:${port}`;
  return {
    fields: {
      CLUSTER_NAME: clusterName,
      REPLICA_SET_NAME: replicaSetName,
      SHARD_NAME: shardName,
      HOSTNAME: hostname,
      PORT: port === undefined ? undefined : String(port),
      HOSTNAME_AND_PORT: hostnameAndPort,
    },
    subject: {
      ...(clusterName === undefined ? {} : { clusterName }),
      ...(replicaSetName === undefined ? {} : { replicaSetName }),
      ...(hostnameAndPort === undefined ? {} : { hostnameAndPort }),
    },
  };
}
