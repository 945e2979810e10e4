import { endings } from '../../packages/service/src/resources/alerts/catalogue/endings.ts';
import {
  type EventKind,
  eventKinds,
} from '../../packages/service/src/resources/alerts/catalogue/event-kinds.ts';
import { metrics } from '../../packages/service/src/resources/alerts/catalogue/metrics.ts';
import { unitSets } from '../../packages/service/src/resources/alerts/catalogue/units.ts';
import { notificationKinds } from '../../packages/service/src/resources/alerts/notifications/kinds.ts';
import { hostReadings, reasonAgainst } from '../../packages/service/src/resources/alerts/sources/readings.ts';
import { SEEN } from '../../packages/service/src/resources/alerts/sources/watch.ts';
import { TOLD } from '../../packages/service/src/resources/alerts/sources/watch-states.ts';
import type { Family } from '../../packages/service/src/resources/family.ts';
import { code, page, table } from './markdown.ts';

const INTRODUCTION = `A configuration says what has to happen in a project (\`eventTypeName\`), to which of its parts (\`matchers\`), how bad it has
to be (\`threshold\`, \`metricThreshold\`), and who is told, and how (\`notifications\`). A new project has eleven of them.

Some events are states, and have an end. While one holds there is an alert: \`TRACKING\` until the shortest \`delayMin\` has
passed, then \`OPEN\`, and \`CLOSED\` when it is over. Each notification is sent when its own \`delayMin\` has passed and again every
\`intervalMin\`, until somebody acknowledges the alert or it closes. The other events have just happened: they are told once,
and no alert is listed.

Everything goes by service time and survives a restart. What does not arrive is tried three times, some ten seconds apart.
Every notification is kept:
the operator reads them all at \`GET /operator/v1/notifications\`, members those of one alert at
\`GET /groups/{groupId}/alerts/{alertId}/notifications\`. Mail and text messages need \`--smtp-url\` and \`--sms-url\`; without them they
are kept there alone. An owner tries a configuration with \`POST /groups/{groupId}/alertConfigs/{alertConfigId}/test\`.

Notifications do not reach addresses of the own network, unless the service was started with \`--allow-private-targets\`.

## A webhook, tried

Somebody listens at port 9000, and the service may tell it; \`api\` calls it as in the README, in a project with a cluster:

    $ npm start -- --allow-private-targets
    $ api /groups/$G/alertConfigs --json '{"eventTypeName": "HOST_DOWN", "enabled": true, "notifications": [{"typeName": "WEBHOOK",
        "webhookUrl": "http://127.0.0.1:9000/hook", "webhookSecret": "a compass and a chart", "delayMin": 0}]}'

The operator stops the primary (its address stands in \`/groups/$G/processes\`); some seconds later \`alert.open\` arrives:

    $ op() { curl --silent --cacert ca.pem --header "Authorization: Bearer $(json operatorToken)" "$(json url)/operator/v1$1" "\${@:2}"; }
    $ op /groups/$G/clusters/quay/instances --json '{"hostnameAndPort": "127.0.0.1:27100", "running": false}'
    $ api "/groups/$G/alerts?status=OPEN"
    {…,"eventTypeName":"HOST_DOWN",…,"hostnameAndPort":"127.0.0.1:27100","id":"6b03…",…}

Whoever cares says so (\`alert.acknowledge\`, and no repeats until then), and with the node the alert goes (\`alert.close\`):

    $ api /groups/$G/alerts/6b03… --request PATCH --data '{"acknowledgedUntil": "2026-12-01T00:00:00Z",
        "acknowledgementComment": "on my way"}'
    $ op /groups/$G/clusters/quay/instances --json '{"hostnameAndPort": "127.0.0.1:27100", "running": true}'

The request holds the alert, with \`humanReadable\`, and the headers \`X-MMS-Event\` (\`alert.open\`, \`alert.update\`,
\`alert.acknowledge\`, \`alert.close\`, \`alert.cancel\` or \`alert.inform\`) and \`X-MMS-Signature\`: the HMAC-SHA-1 of the body with the
secret as its key, in base64.
`;

/** What other events cause. */
const told: Readonly<Record<string, string>> = {
  TAGS_MODIFIED: 'the events `CLUSTER_TAGS_MODIFIED` and `GROUP_TAGS_MODIFIED`',
};

/** Why nothing in this service causes an event, by the first pattern that fits its name. */
const missing: ReadonlyArray<readonly [RegExp, string]> = [
  [/^USERS_WITHOUT_MULTI_FACTOR/, 'accounts have no second factor'],
  [/KMS_NETWORK_ACCESS/, 'keys lie in the key folder, with no network in between'],
  [/RESYNC_REQUESTED$/, 'the members of a cluster share one file'],
  [/^TENANT_UPGRADE_TO_SERVERLESS/, 'shared clusters do not become serverless instances'],
  [/BLOCK_WRITE$/, 'a full disk refuses writes one by one'],
  [/_ANALYTICS$/, 'analytics nodes keep their size'],
  [/^PREDICTIVE_/, '`predictiveEnabled` has no effect'],
  [/AUTO_SCALE_OPLOG_FAIL/, 'no oplog stands in the way of a change of size'],
  [/^(ONLINE_ARCHIVE|STREAM_|OUTSIDE_STREAM|RESOURCE_POLICY)/, 'not a part of the contract'],
  [/^HOST_NOT_ENOUGH_DISK/, '`DISK_PARTITION_SPACE_USED_DATA` measures it'],
  [/^(SSH_KEY|PUSH_BASED_LOG)/, 'there is neither such access nor such an export'],
  [/^HOST_VERSION_BEHIND$|^CLUSTER_INSTANCE_UPDATE/, 'each version has one build'],
  [/^HOST_(EXPOSED|SSL|SECURITY)/, 'checks of machines belong to those who run them'],
  [/^NDS_X509/, 'database users log in by password'],
  [/^(URL_|SUCCESSFUL_DEPLOY|DEPLOYMENT_|OUTSIDE_REALM)/, 'there are no applications'],
  [/^(REQUEST_RATE_LIMIT|LOG_FORWARDER|SYNC_|TRIGGER_)/, 'there are no applications'],
];

/** `docs/alerts.md`: what configurations can be about, and where the service learns of it. */
export function alertsPage(families: readonly Family[]): string {
  const others = families.filter(({ name }) => name !== 'alerts');
  const causes = new Map(
    others.flatMap(({ name, eventTypes = {} }) => Object.keys(eventTypes).map((type) => [type, name])),
  );
  const sourceOf = (event: string) => {
    if (SEEN.includes(event)) return 'a look at the members, every ten seconds';
    if (TOLD.includes(event)) return 'a look at the database, every ten seconds';
    if (Object.hasOwn(told, event)) return told[event] ?? '';
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
    'A configuration for an event without a source is kept, and nobody is told.\n',
    table(['Event', 'Kind', 'Threshold', 'Source'], rows),
    '## Metrics of hosts\n',
    table(
      ['Metric', 'Units', 'Source'],
      [...metrics.host].map(([name, set]) => [
        code(name),
        Object.keys(unitSets[set]).length > 1 ? set : code('RAW'),
        Object.hasOwn(hostReadings, name) ? 'measured' : `none: ${reasonAgainst(name)}`,
      ]),
    ),
    '## Notifications\n',
    table(
      ['Kind', 'Fields', 'Kept sealed'],
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
  return reason === undefined ? 'none yet' : `none: ${reason}`;
}

function thresholdOf({ metric, threshold }: EventKind): string {
  if (metric !== undefined) return code(metric === 'streams' ? 'threshold' : 'metricThreshold');
  return threshold ? `${code('threshold')}, ${threshold.operators.map(code).join(' or ')}` : '';
}
