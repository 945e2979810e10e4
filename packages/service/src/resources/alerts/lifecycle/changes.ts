import type { Actor, EventRecord } from '../../../events/index.ts';
import { addCount, type Tx } from '../../../store/index.ts';
import { clusterCounters } from '../../clusters/index.ts';
import { recordInProject } from '../../projects/index.ts';
import { comparesNumbers } from '../catalogue/event-kinds.ts';
import { isMatched } from '../configurations/matchers.ts';
import { type ConfigurationRow, enabledConfigurations, findConfiguration } from '../configurations/rows.ts';
import { subjectOf, tellBegun, tellEnded } from './feed.ts';
import { firstDue, opening } from './rhythm.ts';
import {
  type AlertRow,
  type AlertSubject,
  insertAlert,
  liveAlertsAbout,
  liveAlertsOf,
  liveAlertsOfCluster,
  updateAlert,
} from './rows.ts';
import { alertCounts } from './rules.ts';
import type { Acknowledgement, AlertStatus } from './schema.ts';
import { awaitDue, tellAll } from './work.ts';

/** What of a project a condition is about. */
export interface AlertTarget {
  /** Tells targets of one kind of event apart: `host:10.0.0.1:27100`. */
  readonly key: string;
  /** What matchers look at. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly subject: AlertSubject;
  /** The cluster that counts the alert while it is open. */
  readonly clusterId: string | undefined;
}

/** What somebody who looked at a target has found. */
export interface Finding {
  readonly groupId: string;
  /** A state that has an end: `NO_PRIMARY`. */
  readonly eventType: string;
  readonly target: AlertTarget;
  /** How it is, as a configuration has it. */
  judge(configuration: ConfigurationRow): Judgement;
  /** What an alert that ends is to show of it; what it showed last where nothing is measured. */
  shownWell?(configuration: ConfigurationRow): AlertSubject | undefined;
}

/** What an alert is to show where the condition holds; `unknown` leaves everything as it is. */
export type Judgement = AlertSubject | 'well' | 'unknown';

/** Begins, goes on with and ends the alerts about one target, as what was found wants it. */
export async function reportFinding(tx: Tx, finding: Finding): Promise<void> {
  const { groupId, eventType, target } = finding;
  const found = { groupId, eventType, target: target.key };
  const live = new Map((await liveAlertsAbout(tx, found)).map((alert) => [alert.configurationId, alert]));
  const compares = comparesNumbers(eventType);
  // A state is told in the feed once, whatever number of configurations is about it; of thresholds each has its own.
  const others = { before: live.size, after: live.size };
  for (const configuration of await enabledConfigurations(tx, groupId, eventType)) {
    const alert = live.get(configuration.id);
    const judgement = judgeFor(configuration, finding);
    if (judgement === 'unknown') continue;
    if (judgement === 'well') {
      if (!alert) continue;
      const subject = finding.shownWell?.(configuration) ?? alert.document.subject;
      const last = { ...alert, document: { ...alert.document, subject } };
      const after = await end(tx, last, configuration, 'close');
      others.after--;
      if (compares || others.after === 0) await tellEnded(tx, after);
    } else if (alert) await refresh(tx, alert, judgement);
    else {
      const begun = await begin(tx, configuration, finding, judgement);
      if (compares || others.before++ === 0) await tellBegun(tx, begun);
      others.after++;
    }
  }
}

/** A target that a configuration does not match is well. */
export function judgeFor(configuration: ConfigurationRow, { target, judge }: Finding): Judgement {
  return isMatched(configuration.document.matchers, target.fields) ? judge(configuration) : 'well';
}

/** Ends every alert about a cluster that is gone. */
export async function endAlertsOfCluster(tx: Tx, clusterId: string): Promise<void> {
  for (const alert of await liveAlertsOfCluster(tx, clusterId)) {
    const configuration = await findConfiguration(tx, alert.groupId, alert.configurationId);
    if (configuration) await end(tx, alert, configuration, 'cancel');
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
  for (const { notifierId, ...rhythm } of notifications) {
    const due = firstDue(tx.now, rhythm).toISOString();
    await awaitDue(tx, { alertId: alert.id, notifierId, due, reason: 'open' });
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

/** Closes an alert. Whoever was told that it is open is told; of one that was only tracked nobody has heard. */
async function end(
  tx: Tx,
  alert: AlertRow,
  configuration: ConfigurationRow,
  reason: 'close' | 'cancel',
): Promise<AlertRow> {
  const after: AlertRow = { ...alert, status: 'CLOSED', updated: tx.now, resolved: tx.now };
  await updateAlert(tx, after);
  await recount(tx, alert, alert.status, 'CLOSED');
  if (alert.status === 'OPEN') await tellAll(tx, reason, after, configuration);
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

/** Ends the alerts of a configuration that is disabled, gone, or about something else from now on. */
export async function cancelAlertsOf(tx: Tx, configuration: ConfigurationRow): Promise<void> {
  for (const alert of await liveAlertsOf(tx, configuration.id)) await end(tx, alert, configuration, 'cancel');
}

/** Lets the notifications that a configuration had not before tell of the alerts that it has. */
export async function followTargets(
  tx: Tx,
  before: ConfigurationRow,
  { id, document: { notifications } }: ConfigurationRow,
): Promise<void> {
  const known = new Set(before.document.notifications.map(({ notifierId }) => notifierId));
  const added = notifications.filter(({ notifierId }) => !known.has(notifierId));
  for (const alert of await liveAlertsOf(tx, id)) {
    for (const { notifierId, ...rhythm } of added) {
      const first = firstDue(alert.created, rhythm);
      const due = (first < tx.now ? tx.now : first).toISOString();
      await awaitDue(tx, { alertId: alert.id, notifierId, due, reason: 'open' });
    }
  }
}

/** Tells of something that has happened and has no end: at once, once, and without an alert in the lists. */
export async function inform(tx: Tx, event: EventRecord): Promise<void> {
  const { groupId, type } = event;
  if (groupId === undefined) return;
  const { fields, subject } = subjectOf(event);
  for (const configuration of await enabledConfigurations(tx, groupId, type)) {
    if (isMatched(configuration.document.matchers, fields))
      await tellOf(tx, configuration, event.id, subject);
  }
}

/** Tells everybody whom a configuration names, as if something had happened to the project. */
export function sendTest(tx: Tx, configuration: ConfigurationRow): Promise<void> {
  return tellOf(tx, configuration, 'test', {});
}

async function tellOf(
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
  await tellAll(tx, 'inform', alert, configuration);
}

/** Acknowledges an alert, or takes that back; answers it as it is then. */
export async function acknowledgeAlert(
  tx: Tx,
  alert: AlertRow,
  { acknowledgedUntil, acknowledgementComment: comment, unacknowledgeAlert }: Acknowledgement,
  actor: Actor,
): Promise<AlertRow> {
  const { acknowledged: _, ...document } = alert.document;
  const withdrawn = unacknowledgeAlert === true || acknowledgedUntil === undefined;
  const acknowledged = withdrawn
    ? undefined
    : {
        until: new Date(acknowledgedUntil).toISOString(),
        by: actor.username ?? actor.publicKey ?? '',
        ...(comment === undefined ? {} : { comment }),
      };
  const after = {
    ...alert,
    updated: tx.now,
    document: { ...document, ...(acknowledged && { acknowledged }) },
  };
  await updateAlert(tx, after);
  const type = withdrawn ? 'ALERT_UNACKNOWLEDGED_AUDIT' : 'ALERT_ACKNOWLEDGED_AUDIT';
  const { id: alertId, configurationId: alertConfigId } = alert;
  await recordInProject(tx, alert.groupId, { type, actor, details: { alertId, alertConfigId } });
  const configuration = await findConfiguration(tx, alert.groupId, alert.configurationId);
  if (!withdrawn && alert.status === 'OPEN' && configuration)
    await tellAll(tx, 'acknowledge', after, configuration);
  return after;
}
