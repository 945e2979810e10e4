import { Turns } from '@portolan/foundation/turns';
import type { EventRecord } from '../../../events/index.ts';
import { addCount, type Tx } from '../../../store/index.ts';
import { clusterCounters } from '../../clusters/index.ts';
import { comparesNumbers } from '../catalogue/event-kinds.ts';
import { isMatched } from '../configurations/matchers.ts';
import { type ConfigurationRow, enabledConfigurations, findConfiguration } from '../configurations/rows.ts';
import { costOf } from '../configurations/weight.ts';
import {
  type AlertRow,
  type AlertSubject,
  insertAlert,
  liveAlertsAbout,
  liveAlertsOf,
  liveAlertsOfCluster,
  updateAlert,
} from '../model/rows.ts';
import type { AlertStatus } from '../model/schema.ts';
import { recordBegun, recordEnded, subjectOf } from './feed.ts';
import { firstDue, opening } from './notification-schedule.ts';
import { alertCounts } from './rules.ts';
import { notifyAll, scheduleNotification } from './work.ts';

/** The object that an alert is about. */
export interface AlertTarget {
  /** The key of the target, such as `host:10.0.0.1:27100`. It is unique among the targets of an event type. */
  readonly key: string;
  /** The values that matchers test. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly subject: AlertSubject;
  /** The cluster to which the target belongs. The cluster's list of open alerts includes the alert. */
  readonly clusterId: string | undefined;
}

/** The observed state of a target. */
export interface Finding {
  readonly groupId: string;
  /** The event type of the condition: `NO_PRIMARY`. */
  readonly eventType: string;
  readonly target: AlertTarget;
  /** Evaluates the condition of a configuration. */
  evaluate(configuration: ConfigurationRow): Evaluation;
  /**
   * Returns the subject of an alert that ends, with the current value of the metric. If this value is unknown, returns
   * undefined, and the alert keeps its subject.
   */
  endedSubject?(configuration: ConfigurationRow): AlertSubject | undefined;
}

/** The subject of the alert if the condition is met, and `ok` if it is not. `unknown` leaves the alert unchanged. */
export type Evaluation = AlertSubject | 'ok' | 'unknown';

/** Opens, refreshes or closes the alerts about a target according to a finding. */
export async function reportFinding(tx: Tx, finding: Finding): Promise<void> {
  const { groupId, eventType, target } = finding;
  const found = { groupId, eventType, target: target.key };
  const live = new Map((await liveAlertsAbout(tx, found)).map((alert) => [alert.configurationId, alert]));
  const compares = comparesNumbers(eventType);
  // If configurations compare a metric with thresholds, an event is recorded for each alert, because the thresholds
  // differ. Otherwise, all configurations have the same condition, and only two events are recorded: one when the first
  // alert begins, and one when the last alert ends.
  const others = { before: live.size, after: live.size };
  const turns = new Turns();
  for (const configuration of await enabledConfigurations(tx, groupId, eventType)) {
    const alert = live.get(configuration.id);
    const evaluation = evaluateFor(configuration, finding);
    await turns.take(costOf(configuration));
    if (evaluation === 'unknown') continue;
    if (evaluation === 'ok') {
      if (!alert) continue;
      const subject = finding.endedSubject?.(configuration) ?? alert.document.subject;
      const last = { ...alert, document: { ...alert.document, subject } };
      const after = await end(tx, last, configuration, 'close');
      others.after--;
      if (compares || others.after === 0) await recordEnded(tx, after);
      await turns.take(notifyingCost(configuration));
    } else if (alert) await refresh(tx, alert, evaluation);
    else {
      const begun = await begin(tx, configuration, finding, evaluation);
      if (compares || others.before++ === 0) await recordBegun(tx, begun);
      others.after++;
      await turns.take(notifyingCost(configuration));
    }
  }
}

/** Cost of enqueuing a notification (see `Turns`). */
const NOTIFICATION_COST = 20;

function notifyingCost({ document }: ConfigurationRow): number {
  return NOTIFICATION_COST * (1 + document.notifications.length);
}

/** Evaluates a configuration for the target of a finding. Returns `ok` for a target that the matchers exclude. */
export function evaluateFor(configuration: ConfigurationRow, { target, evaluate }: Finding): Evaluation {
  return isMatched(configuration.document.matchers, target.fields) ? evaluate(configuration) : 'ok';
}

/** Cancels all alerts about a removed cluster. */
export async function endAlertsOfCluster(tx: Tx, clusterId: string): Promise<void> {
  const turns = new Turns();
  for (const alert of await liveAlertsOfCluster(tx, clusterId)) {
    const configuration = await findConfiguration(tx, alert.groupId, alert.configurationId);
    if (configuration === undefined) continue;
    await end(tx, alert, configuration, 'cancel');
    await turns.take(notifyingCost(configuration));
  }
}

async function begin(
  tx: Tx,
  configuration: ConfigurationRow,
  { groupId, target }: Finding,
  subject: AlertSubject,
): Promise<AlertRow> {
  const { notifications } = configuration.document;
  const isOpen = opening(tx.now, notifications) <= tx.now;
  const alert: AlertRow = {
    id: tx.id(),
    groupId,
    configurationId: configuration.id,
    eventType: configuration.eventType,
    target: target.key,
    clusterId: target.clusterId,
    status: isOpen ? 'OPEN' : 'TRACKING',
    created: tx.now,
    updated: tx.now,
    lastNotified: undefined,
    resolved: undefined,
    document: { subject },
  };
  await insertAlert(tx, alert);
  await recount(tx, alert, undefined, alert.status);
  for (const { notifierId, ...schedule } of notifications) {
    const due = firstDue(tx.now, schedule).toISOString();
    await scheduleNotification(tx, alert.groupId, { alertId: alert.id, notifierId, due, reason: 'open' });
  }
  return alert;
}

async function refresh(tx: Tx, alert: AlertRow, subject: AlertSubject): Promise<void> {
  await updateAlert(tx, { ...alert, updated: tx.now, document: { ...alert.document, subject } });
}

/** Opens an alert whose first notification is due. */
export async function openAlert(tx: Tx, alert: AlertRow): Promise<AlertRow> {
  if (alert.status !== 'TRACKING') return alert;
  const after: AlertRow = { ...alert, status: 'OPEN', updated: tx.now };
  await updateAlert(tx, after);
  await recount(tx, alert, 'TRACKING', 'OPEN');
  return after;
}

/**
 * Closes an alert and notifies its recipients. If the alert was still TRACKING, nobody is notified, since nobody was
 * notified of its beginning.
 */
async function end(
  tx: Tx,
  alert: AlertRow,
  configuration: ConfigurationRow,
  reason: 'close' | 'cancel',
): Promise<AlertRow> {
  const after: AlertRow = { ...alert, status: 'CLOSED', updated: tx.now, resolved: tx.now };
  await updateAlert(tx, after);
  await recount(tx, alert, alert.status, 'CLOSED');
  if (alert.status === 'OPEN') await notifyAll(tx, reason, after, configuration);
  return after;
}

async function recount(
  tx: Tx,
  { groupId, clusterId }: AlertRow,
  before: AlertStatus | undefined,
  after: AlertStatus,
): Promise<void> {
  if (before !== undefined) await addCount(tx, alertCounts[before], groupId, -1);
  await addCount(tx, alertCounts[after], groupId, 1);
  if (clusterId === undefined) return;
  const change = Number(after === 'OPEN') - Number(before === 'OPEN');
  if (change !== 0) await addCount(tx, clusterCounters.openAlerts, clusterId, change);
}

/** Cancels the alerts of a configuration that was disabled or deleted, or whose condition has changed. */
export async function cancelAlertsOf(tx: Tx, configuration: ConfigurationRow): Promise<void> {
  const turns = new Turns();
  for (const alert of await liveAlertsOf(tx, configuration.id)) {
    await end(tx, alert, configuration, 'cancel');
    await turns.take(notifyingCost(configuration));
  }
}

/** Schedules the newly added notifications of a configuration for its live alerts. */
export async function followTargets(
  tx: Tx,
  before: ConfigurationRow,
  { id, document: { notifications } }: ConfigurationRow,
): Promise<void> {
  const known = new Set(before.document.notifications.map(({ notifierId }) => notifierId));
  const added = notifications.filter(({ notifierId }) => !known.has(notifierId));
  const turns = new Turns();
  for (const alert of await liveAlertsOf(tx, id)) {
    for (const { notifierId, ...schedule } of added) {
      const first = firstDue(alert.created, schedule);
      const due = (first < tx.now ? tx.now : first).toISOString();
      await scheduleNotification(tx, alert.groupId, { alertId: alert.id, notifierId, due, reason: 'open' });
      await turns.take(NOTIFICATION_COST);
    }
  }
}

/** Sends the notifications of a one-time event immediately and once, without an alert. */
export async function notifyOnEvent(tx: Tx, event: EventRecord): Promise<void> {
  const { groupId, type } = event;
  if (groupId === undefined) return;
  const { fields, subject } = subjectOf(event);
  const turns = new Turns();
  for (const configuration of await enabledConfigurations(tx, groupId, type)) {
    await turns.take(costOf(configuration));
    if (!isMatched(configuration.document.matchers, fields)) continue;
    await notifyOf(tx, configuration, event.id, subject);
    await turns.take(notifyingCost(configuration));
  }
}

/** Sends a test notification to all recipients of a configuration. */
export function sendTest(tx: Tx, configuration: ConfigurationRow): Promise<void> {
  return notifyOf(tx, configuration, 'test', {});
}

async function notifyOf(
  tx: Tx,
  configuration: ConfigurationRow,
  target: string,
  subject: AlertSubject,
): Promise<void> {
  const { id: configurationId, groupId, eventType } = configuration;
  const alert: AlertRow = {
    ...{ id: tx.id(), groupId, configurationId, eventType, target, clusterId: undefined },
    ...{ status: 'CLOSED', created: tx.now, updated: tx.now, lastNotified: undefined, resolved: tx.now },
    document: { subject },
  };
  await notifyAll(tx, 'inform', alert, configuration);
}
