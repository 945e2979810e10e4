import type { PlainObject } from '@portolan/foundation/plain-object';
import { wholeSeconds } from '../../../api/dates.ts';
import type { ReadTx } from '../../../store/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import { findProject } from '../../projects/index.ts';
import type { Services } from '../../services.ts';
import { findConfiguration } from '../configurations/rows.ts';
import { presentAlert } from '../model/present.ts';
import type { AlertRow } from '../model/rows.ts';
import type { Reason } from './rows.ts';
import { type Severity, severityOf } from './severity.ts';

/** The content of a notification, independent of its channel. */
export interface Message {
  readonly alertId: string;
  readonly reason: Reason;
  readonly severity: Severity;
  /** One line: `OPEN: Replica set has no primary (harbour)`. */
  readonly subject: string;
  /** Several lines with project, organization, value, time and URL. */
  readonly text: string;
  /** The alert as the API shows it, as JSON. */
  readonly document: PlainObject;
  /**
   * A URL that people can open. It leads to the alert or its configuration in the console, if the console is turned on.
   */
  readonly url: string;
  /** The host, replica set, cluster or project that the alert concerns. */
  readonly source: string;
}

const reasonWords: Readonly<Record<Reason, string>> = {
  open: 'OPEN',
  update: 'STILL OPEN',
  acknowledge: 'ACKNOWLEDGED',
  close: 'CLOSED',
  cancel: 'CANCELLED',
  inform: 'INFO',
};

/** Composes a message. Returns undefined if the project was removed. */
export async function messageOf(
  tx: ReadTx,
  alert: AlertRow,
  reason: Reason,
  severityOverride: Severity | null | undefined,
  { console, eventTypes, publicUrl }: Pick<Services, 'console' | 'eventTypes' | 'publicUrl'>,
): Promise<Message | undefined> {
  const project = await findProject(tx, alert.groupId);
  if (!project) return undefined;
  const organization = await findOrganization(tx, project.orgId);
  const { subject: about } = alert.document;
  const source = about.hostnameAndPort ?? about.replicaSetName ?? about.clusterName ?? project.name;
  const title = eventTypes[alert.eventType] ?? alert.eventType;
  // A one-time event has no alert, so its message has a link to the configuration, unless the configuration was deleted
  // in the meantime.
  const [rel, path] =
    reason === 'inform'
      ? [`${publicUrl}/alertConfig`, `alertConfigs/${alert.configurationId}`]
      : ['self', `alerts/${alert.id}`];
  const href = `${publicUrl}/api/service/v2/groups/${alert.groupId}/${path}`;
  const url = console === undefined ? href : pageOf(publicUrl, alert, reason);
  const hasTarget =
    reason !== 'inform' || (await findConfiguration(tx, alert.groupId, alert.configurationId)) !== undefined;
  const lines = [
    `${reasonWords[reason]}: ${title} (${source})`,
    `Project: ${project.name}, organization: ${organization?.name ?? project.orgId}`,
    `Event: ${alert.eventType}, since ${wholeSeconds(alert.created)}`,
    ...(alert.resolved && reason !== 'inform' ? [`Closed: ${wholeSeconds(alert.resolved)}`] : []),
    ...valueLines(about),
    ...(reason === 'inform' ? [] : [url]),
  ];
  const text = lines.join('\n');
  return {
    alertId: alert.id,
    reason,
    severity: severityOverride ?? severityOf(alert.eventType, reason),
    subject: lines[0] ?? title,
    text,
    document: {
      ...asResponse(presentAlert(alert, project.orgId)),
      humanReadable: text,
      links: hasTarget ? [{ href, rel }] : [],
    },
    url,
    source,
  };
}

/** The measured value, if the alert has one. The unit `RAW` means that the value is a number without a unit. */
function valueLines({ currentValue, metricName = 'Value' }: AlertRow['document']['subject']): string[] {
  if (!currentValue) return [];
  const { number, units } = currentValue;
  return [`${metricName}: ${number}${units === 'RAW' ? '' : ` ${units}`}`];
}

/** Returns the URL of the console's page about the alert or, for a one-time event, about the configuration. */
function pageOf(publicUrl: string, { groupId, configurationId }: AlertRow, reason: Reason): string {
  const alerts = `${publicUrl}/console/#/projects/${groupId}/alerts`;
  return reason === 'inform' ? `${alerts}/configurations/${configurationId}` : alerts;
}

/** Formats dates as API responses do. */
function asResponse(alert: object): Record<string, unknown> {
  const entries = Object.entries(alert);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value instanceof Date ? wholeSeconds(value) : value]),
  );
}
