import { endings } from '../../packages/service/src/resources/alerts/catalogue/endings.ts';
import {
  type EventKind,
  eventKinds,
} from '../../packages/service/src/resources/alerts/catalogue/event-kinds.ts';
import { metrics } from '../../packages/service/src/resources/alerts/catalogue/metrics.ts';
import { unitSets } from '../../packages/service/src/resources/alerts/catalogue/units.ts';
import {
  KEPT_DAYS,
  KEPT_PER_PROJECT,
} from '../../packages/service/src/resources/alerts/lifecycle/retention.ts';
import { notificationKinds } from '../../packages/service/src/resources/alerts/notifications/kinds.ts';
import {
  hostMetricReaders,
  reasonUnmeasured,
} from '../../packages/service/src/resources/alerts/sources/metric-readers.ts';
import { OBSERVED_EVENTS } from '../../packages/service/src/resources/alerts/sources/watch.ts';
import { STORED_STATE_EVENTS } from '../../packages/service/src/resources/alerts/sources/watch-states.ts';
import type { Family } from '../../packages/service/src/resources/family.ts';
import { code, page, table } from './markdown.ts';

const INTRODUCTION = `An alert configuration says when the service opens an alert and whom the service notifies. It has these fields:

- \`eventTypeName\`: the event type.
- \`matchers\`: conditions that select targets, such as nodes or clusters.
- \`threshold\` or \`metricThreshold\`: the limit with which the service compares a metric or another number. Only some event types have one.
- \`notifications\`: the recipients, with the delay (\`delayMin\`) and the interval (\`intervalMin\`) of each notification in minutes.

A new project has [eleven alert configurations](contract/access.md#89-configurations-of-a-new-project).

There are two kinds of event types:

- **States**, such as \`HOST_DOWN\`. When the state begins, the service creates an alert with the status \`TRACKING\`. The alert becomes
  \`OPEN\` when the shortest \`delayMin\` of its notifications has passed, and \`CLOSED\` when the state has ended. The service sends each
  notification when the \`delayMin\` of the notification has passed, and repeats the notification every \`intervalMin\` until the alert is
  acknowledged or closed.
- **Single events**, such as \`CPS_SNAPSHOT_FAILED\`. The service sends the notifications once, without delay, and creates no alert.

Delays follow [service time](glossary.md) and survive restarts.

## Delivery

- The service sends mail if \`--smtp-url\` is set, and text messages if \`--sms-url\` is set. Without these settings, it only stores mail and
  text messages. Each recipient of mail gets a separate message.
- The service tries three times to deliver a notification, about ten seconds apart. After the third failure, it records the event
  \`ALERT_NOTIFICATION_FAILED\` with the reason.
- A third-party service can reject the secret of a notification, for example because an API key was revoked. After three rejections, the
  service removes the secret, and sends a mail to the project owners. Webhooks and Microsoft Teams keep their secrets.
- The service stores all notifications. Operators read them at \`GET /operator/v1/notifications\`. Project members read the notifications of
  an alert or event at \`GET /groups/{groupId}/alerts/{alertId}/notifications\`.
- The service deletes a notification ${KEPT_DAYS} days of service time after it was sent, and an alert ${KEPT_DAYS} days after it was closed.
  If a project has more than ${KEPT_PER_PROJECT.toLocaleString('en')} notifications or closed alerts, the service deletes the oldest of them earlier.
- The service does not send notifications to private addresses, unless it was started with \`--allow-private-targets\`.
- \`POST /groups/{groupId}/alertConfigs/{alertConfigId}/test\` sends a test notification. The caller must be a project owner.

## Example: a webhook

Run a web server on port 9000, and allow the service to reach it. \`api\` and \`json\` are functions that the README defines, and \`$G\` is the id
of a project with the cluster \`quay\`:

    $ npm start -- --allow-private-targets
    $ api /groups/$G/alertConfigs --json '{"eventTypeName": "HOST_DOWN", "enabled": true, "notifications": [{"typeName": "WEBHOOK",
        "webhookUrl": "http://127.0.0.1:9000/hook", "webhookSecret": "a compass and a chart", "delayMin": 0}]}'

As the operator, stop the primary of the cluster. \`api /groups/$G/processes\` lists the nodes; here, the primary is \`127.0.0.1:27100\`.
Seconds later, the webhook receives \`alert.open\`:

    $ op() { curl --silent --cacert portolan-data/ca.pem --header "Authorization: Bearer $(json operatorToken)" "$(json url)/operator/v1$1" "\${@:2}"; }
    $ op /groups/$G/clusters/quay/instances --json '{"hostnameAndPort": "127.0.0.1:27100", "running": false}'
    $ api "/groups/$G/alerts?status=OPEN"
    {…,"eventTypeName":"HOST_DOWN",…,"hostnameAndPort":"127.0.0.1:27100","id":"6b03…",…}

Acknowledge the alert, so that notifications are not repeated. The webhook receives \`alert.acknowledge\`. Then start the node again. The
webhook receives \`alert.close\`:

    $ api /groups/$G/alerts/6b03… --request PATCH --data '{"acknowledgedUntil": "2026-12-01T00:00:00Z",
        "acknowledgementComment": "on my way"}'
    $ op /groups/$G/clusters/quay/instances --json '{"hostnameAndPort": "127.0.0.1:27100", "running": true}'

The body of a request to the webhook is the alert, with a text in the field \`humanReadable\`. The header \`X-MMS-Event\` is \`alert.open\`,
\`alert.update\` (a repetition), \`alert.acknowledge\`, \`alert.close\`, \`alert.cancel\` or \`alert.inform\` (a single event). The header
\`X-MMS-Signature\` is the HMAC-SHA-1 of the body with \`webhookSecret\` as the key, in base64.
`;

/** Event types that other events cause. */
const causedBy: Readonly<Record<string, string>> = {
  TAGS_MODIFIED: 'each event `CLUSTER_TAGS_MODIFIED` or `GROUP_TAGS_MODIFIED`',
};

/** Why an event type never occurs in this service, by pattern. The first matching pattern counts. */
const missing: ReadonlyArray<readonly [RegExp, string]> = [
  [/^USERS_WITHOUT_MULTI_FACTOR/, 'the service does not require one-time codes'],
  [/KMS_NETWORK_ACCESS/, 'master keys are in a local folder, which the service reads without a network'],
  [/RESYNC_REQUESTED$/, 'the members of a cluster share one file, so no member copies data from another'],
  [
    /^TENANT_UPGRADE_TO_SERVERLESS/,
    'the service records an upgrade to a serverless instance as a cluster update',
  ],
  [/BLOCK_WRITE$/, 'the service does not block a cluster with a full disk; only writes that need space fail'],
  [/_ANALYTICS$/, 'autoscaling does not change the size of analytics nodes'],
  [/^PREDICTIVE_/, '`predictiveEnabled` has no effect'],
  [/AUTO_SCALE_OPLOG_FAIL/, 'the oplog never prevents autoscaling'],
  [/^ONLINE_ARCHIVE/, 'the service does not check the indexes and the progress of online archives'],
  [/^(STREAM_|OUTSIDE_STREAM)/, 'Portolan does not have stream processors'],
  [/^RESOURCE_POLICY/, 'Portolan does not have resource policies'],
  [
    /^HOST_NOT_ENOUGH_DISK/,
    'only alert configurations for the metric `DISK_PARTITION_SPACE_USED_DATA` detect full disks',
  ],
  [/^SSH_KEY/, 'Portolan does not have SSH access to nodes'],
  [/^PUSH_BASED_LOG_EXPORT_STOPPED/, 'the service records this event, but opens no alerts for log exports'],
  [/^PUSH_BASED_LOG/, 'a later log export contains the lines that a failed one missed'],
  [
    /^HOST_VERSION_BEHIND$|^CLUSTER_INSTANCE_UPDATE/,
    'the engine has only one build of each database version',
  ],
  [/^VERSION_BEHIND$/, 'the service does not compare database versions with the newest version'],
  [/^HOST_(EXPOSED|SSL|SECURITY)/, 'the service does not check the security of machines'],
  [/^NDS_X509/, 'the service does not check the expiry of certificates of database users'],
  [/^(URL_|SUCCESSFUL_DEPLOY|DEPLOYMENT_|OUTSIDE_REALM)/, 'Portolan does not have application services'],
  [/^(REQUEST_RATE_LIMIT|LOG_FORWARDER|SYNC_|TRIGGER_)/, 'Portolan does not have application services'],
];

/** `docs/alerts.md`: event types, metrics and notifications, with their sources. */
export function alertsPage(families: readonly Family[]): string {
  const others = families.filter(({ name }) => name !== 'alerts');
  const causes = new Map(
    others.flatMap(({ name, eventTypes = {} }) => Object.keys(eventTypes).map((type) => [type, name])),
  );
  const sourceOf = (event: string) => {
    if (OBSERVED_EVENTS.includes(event)) return 'check of the members every ten seconds';
    if (STORED_STATE_EVENTS.includes(event)) return "check of the service's database every ten seconds";
    if (Object.hasOwn(causedBy, event)) return causedBy[event] ?? '';
    const family = causes.get(event);
    return family !== undefined && !Object.hasOwn(endings, event)
      ? `event of \`${family}\``
      : reasonAgainstEvent(event);
  };
  const rows = Object.entries<EventKind>(eventKinds).flatMap(([kind, rule]) =>
    rule.events.map((event) => [code(event), kind, thresholdOf(rule), sourceOf(event)]),
  );
  return page('Alerts', [
    INTRODUCTION,
    '## Events\n',
    'Alert configurations for events of the same kind accept the same matchers and thresholds. The column Threshold contains\n' +
      'the field that these alert configurations require, `threshold` or `metricThreshold`, and the accepted operators. A\n' +
      '`metricThreshold` accepts `GREATER_THAN` and `LESS_THAN`.\n',
    'The column Source says how the service detects the event:\n',
    '- "Event of" a resource family: this family records the event.\n' +
      '  [architecture.md](architecture.md#packagesservicesrcresources) lists the families.\n' +
      '- "Check": the service finds the state when it examines the members of all clusters, or the rows of its database.\n' +
      '- "None": alert configurations for the event never open alerts or send notifications, for the reason after the colon.\n' +
      '  The API accepts such alert configurations.\n',
    table(['Event', 'Kind', 'Threshold', 'Source'], rows),
    '## Metrics of hosts\n',
    'Alert configurations with the event type `OUTSIDE_METRIC_THRESHOLD` compare one of these metrics with a threshold. The\n' +
      'column Units contains the unit of the threshold (`RAW`), or the set of its possible units. For example, the set time\n' +
      'contains `SECONDS`. [access.md](contract/access.md) 8.6 lists the units of each set.\n',
    '"Measured" means that the service measures the metric for every member of a cluster. "None" means that the metric has no\n' +
      'value, for the reason after the colon. The API accepts alert configurations for the metric, but they never open alerts.\n',
    table(
      ['Metric', 'Units', 'Source'],
      [...metrics.host].map(([name, set]) => [
        code(name),
        Object.keys(unitSets[set]).length > 1 ? set : code('RAW'),
        measuredBy(name),
      ]),
    ),
    '## Notifications\n',
    'A notification has a kind (`typeName`) and the fields in the second column. The service stores the fields in the last\n' +
      'column encrypted, and masks them in responses.\n',
    table(
      ['Kind', 'Fields', 'Encrypted'],
      Object.entries(notificationKinds).map(([name, { fields, secrets = {} }]) => [
        code(name),
        Object.keys(fields).map(code).join(', '),
        Object.keys(secrets).map(code).join(', '),
      ]),
    ),
  ]);
}

function reasonAgainstEvent(event: string): string {
  const reason = missing.find(([pattern]) => pattern.test(event))?.[1];
  if (reason === undefined) throw new Error(`The event type ${event} has no source: say why in "missing".`);
  return `none: ${reason}`;
}

function thresholdOf({ metric, threshold }: EventKind): string {
  if (metric !== undefined) return code(metric === 'streams' ? 'threshold' : 'metricThreshold');
  return threshold ? `${code('threshold')}, ${threshold.operators.map(code).join(' or ')}` : '';
}

function measuredBy(name: string): string {
  const reason = reasonUnmeasured(name);
  if (!Object.hasOwn(hostMetricReaders, name)) return `none: ${reason}`;
  const isOwn = reason === undefined || reason === reasonUnmeasured('');
  return isOwn ? 'measured' : `measured, except by the embedded engine: ${reason}`;
}
