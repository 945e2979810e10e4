import { createHmac } from 'node:crypto';
import type { Post } from '@portolan/foundation/outgoing/guarded-post';
import type { Notification, NotificationName } from '../notifications/kinds.ts';
import type { Message } from './message.ts';
import type { Severity } from './severity.ts';

/**
 * This file builds requests to third-party services from a message and the fields of a notification. The requests
 * follow the public documentation of each service (docs/contract/access.md 8.7, 8.8).
 */

export interface Product {
  /** The base URL, or base URLs by region. */
  readonly base: string | Readonly<Record<string, string>>;
  /** The field that names the region. */
  readonly region?: string;
  /** Builds the request; `notification` contains the secrets in clear text. */
  request(message: Message, notification: Notification, base: string): Post;
  /**
   * Returns the error in a response with a successful status, if there is one. Some services report errors in this way.
   */
  refusal?(text: string): string | undefined;
  /** Whether a response with an error means that the receiver does not accept the secret. */
  rejects?(status: number, text: string): boolean;
}

/** Whether a service has rejected a key with this status. */
const isUnauthorized = (status: number) => status === 401 || status === 403;

const json = (url: string, body: object, headers: Record<string, string> = {}): Post => ({
  url,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const isOver = ({ reason }: Message) => reason === 'close' || reason === 'cancel';

const levels = <T extends string>(critical: T, error: T, warning: T, info: T): Record<Severity, T> => ({
  CRITICAL: critical,
  ERROR: error,
  WARNING: warning,
  INFO: info,
});

const datadogTypes = levels('error', 'error', 'warning', 'info');
const opsGeniePriorities = levels('P1', 'P2', 'P4', 'P5');
const pagerDutySeverities = levels('critical', 'error', 'warning', 'info');
const victorOpsTypes = levels('CRITICAL', 'CRITICAL', 'WARNING', 'INFO');
const colors = levels('red', 'red', 'yellow', 'gray');

/** Returns the key by which the receiver recognizes all messages about one alert, from its opening to its closing. */
const aliasOf = ({ alertId }: Message) => `alert-${alertId}`;

const DATADOG: Product = {
  base: {
    US: 'https://api.datadoghq.com',
    EU: 'https://api.datadoghq.eu',
    US3: 'https://api.us3.datadoghq.com',
    US5: 'https://api.us5.datadoghq.com',
    AP1: 'https://api.ap1.datadoghq.com',
    US1_FED: 'https://api.ddog-gov.com',
  },
  region: 'monitoringRegion',
  request: (message, { monitoringApiKey }, base) =>
    json(
      `${base}/api/v1/events`,
      {
        title: message.subject,
        text: message.text,
        alert_type: isOver(message) ? 'success' : datadogTypes[message.severity],
        aggregation_key: aliasOf(message),
        tags: [`source:${message.source}`, `reason:${message.reason}`],
      },
      { 'dd-api-key': String(monitoringApiKey) },
    ),
  rejects: isUnauthorized,
};

const HIP_CHAT: Product = {
  base: 'https://api.hipchat.com',
  request: (message, { notificationToken, roomName }, base) =>
    json(
      `${base}/v2/room/${encodeURIComponent(String(roomName))}/notification`,
      {
        message: message.text,
        message_format: 'text',
        color: isOver(message) ? 'green' : colors[message.severity],
        notify: true,
      },
      { authorization: `Bearer ${notificationToken}` },
    ),
  rejects: isUnauthorized,
};

const MICROSOFT_TEAMS: Product = {
  base: '',
  request: (message, { microsoftTeamsWebhookUrl }) =>
    json(String(microsoftTeamsWebhookUrl), {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: message.subject, weight: 'Bolder', wrap: true },
              { type: 'TextBlock', text: message.text.replaceAll('\n', '\n\n'), wrap: true },
            ],
          },
        },
      ],
    }),
};

const OPS_GENIE: Product = {
  base: { US: 'https://api.opsgenie.com', EU: 'https://api.eu.opsgenie.com' },
  region: 'opsGenieRegion',
  request(message, { opsGenieApiKey }, base) {
    const headers = { authorization: `GenieKey ${opsGenieApiKey}` };
    const own = `${base}/v2/alerts/${encodeURIComponent(aliasOf(message))}`;
    if (isOver(message)) return json(`${own}/close?identifierType=alias`, { note: message.text }, headers);
    if (message.reason === 'acknowledge')
      return json(`${own}/acknowledge?identifierType=alias`, { note: message.text }, headers);
    // Opsgenie limits a message to 130 characters.
    const body = {
      message: message.subject.slice(0, 130),
      alias: aliasOf(message),
      description: message.text,
      priority: opsGeniePriorities[message.severity],
      source: message.source,
    };
    return json(`${base}/v2/alerts`, body, headers);
  },
  rejects: isUnauthorized,
};

const PAGER_DUTY: Product = {
  base: { US: 'https://events.pagerduty.com', EU: 'https://events.eu.pagerduty.com' },
  region: 'region',
  request(message, { serviceKey }, base) {
    const acknowledged = message.reason === 'acknowledge' ? 'acknowledge' : 'trigger';
    return json(`${base}/v2/enqueue`, {
      routing_key: serviceKey,
      event_action: isOver(message) ? 'resolve' : acknowledged,
      dedup_key: aliasOf(message),
      payload: {
        summary: message.subject,
        source: message.source,
        severity: pagerDutySeverities[message.severity],
        custom_details: message.document,
      },
      links: [{ href: message.url, text: 'Alert' }],
    });
  },
  // PagerDuty reports an invalid key as an invalid event, with a text about the field.
  rejects: (status, text) =>
    isUnauthorized(status) || (status === 400 && /routing_key|invalid.*key/i.test(text)),
};

/** The errors with which Slack rejects a token. */
const slackRejections = ['account_inactive', 'invalid_auth', 'not_authed', 'token_expired', 'token_revoked'];

const SLACK: Product = {
  base: 'https://slack.com',
  request: (message, { apiToken, channelName }, base) =>
    json(
      `${base}/api/chat.postMessage`,
      { channel: channelName, text: message.text },
      { authorization: `Bearer ${apiToken}` },
    ),
  refusal(text) {
    const { ok, error } = JSON.parse(text) as { ok?: boolean; error?: string };
    return ok === true ? undefined : `the chat service rejected the message: ${error ?? 'no reason given'}`;
  },
  rejects: (status, text) =>
    isUnauthorized(status) || slackRejections.some((error) => text.includes(`"${error}"`)),
};

const VICTOR_OPS: Product = {
  base: 'https://alert.victorops.com',
  request(message, { victorOpsApiKey, victorOpsRoutingKey }, base) {
    const parts = [victorOpsApiKey, ...(victorOpsRoutingKey === undefined ? [] : [victorOpsRoutingKey])];
    const path = parts.map((part) => encodeURIComponent(String(part))).join('/');
    const acknowledged =
      message.reason === 'acknowledge' ? 'ACKNOWLEDGEMENT' : victorOpsTypes[message.severity];
    return json(`${base}/integrations/generic/20131114/alert/${path}`, {
      message_type: isOver(message) ? 'RECOVERY' : acknowledged,
      entity_id: aliasOf(message),
      entity_display_name: message.subject,
      state_message: message.text,
    });
  },
  rejects: isUnauthorized,
};

const WEBHOOK: Product = {
  base: '',
  request(message, { webhookUrl, webhookSecret }) {
    const post = json(String(webhookUrl), message.document, { 'x-mms-event': `alert.${message.reason}` });
    if (webhookSecret === undefined) return post;
    const signature = createHmac('sha1', String(webhookSecret)).update(post.body).digest('base64');
    return { ...post, headers: { ...post.headers, 'x-mms-signature': signature } };
  },
};

/** The notification kinds that are delivered to third-party services. */
export const products: Readonly<Partial<Record<NotificationName, Product>>> = {
  DATADOG,
  HIP_CHAT,
  MICROSOFT_TEAMS,
  OPS_GENIE,
  PAGER_DUTY,
  SLACK,
  VICTOR_OPS,
  WEBHOOK,
};

/** Returns the operator's base URL for a product or, by default, the URL of the product's region. */
export function baseOf(
  { base, region }: Product,
  notification: Notification,
  set: string | undefined,
): string {
  if (set !== undefined) return set.replace(/\/$/, '');
  if (typeof base === 'string') return base;
  return base[String(notification[region ?? ''] ?? 'US')] ?? base.US ?? '';
}
