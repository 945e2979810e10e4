import { defaultLimits } from '../../packages/service/src/api/http/limits.ts';
import { bytes, count, engine, foundation, type Row, service, time } from './limit-rows.ts';

/** Returns the rows of the table of limits of requests. */
export function requestLimits(): Row[] {
  return [
    requestRows(),
    connectionRows(),
    definitionRows(),
    projectRows(),
    serverRows(),
    filterRows(),
  ].flat();
}

function requestRows(): Row[] {
  const { headerBytes, bodyBytes, formBytes, bodyDepth, bodyValues, bodyText } = defaultLimits;
  const budget = service('api/http/body-budget');
  const replies = service('api/http/reply-budget');
  return [
    ['Request line and headers', bytes(headerBytes), '431. The connection closes'],
    [
      'Body',
      `${bytes(bodyBytes)}; ${bytes(formBytes)} without authentication`,
      '413. The body is not read, and the connection closes',
    ],
    ['Compressed body', 'not accepted', '415. The body is not read, and the connection closes'],
    [
      'Values in a body',
      `${count(bodyValues)} values, nested in at most ${bodyDepth} levels`,
      '400, before the rest of the body is read',
    ],
    ['Strings in a body', `${count(bodyText)} characters`, '400'],
    [
      'Bodies of all requests together',
      `${bytes(budget('HELD_BYTES'))}, and ${bytes(budget('SHARE_BYTES'))} for one organization. Bodies of at most ${bytes(budget('SMALL_BYTES'))} count, but are always accepted. The service parses and validates at most ${bytes(budget('WORKED_ON_BYTES'))} at the same time, and organizations take turns`,
      '503 with `Retry-After`',
    ],
    [
      'Large replies of all requests that the service has not sent completely. A reply is large if it has more than about 1,000 values, or 64 KiB of text',
      `${bytes(budget('HELD_BYTES'))}, and ${bytes(budget('SHARE_BYTES'))} for one organization. The service makes at most ${bytes(budget('WORKED_ON_BYTES'))} of them at the same time, in pieces. Organizations take turns. While ${replies('MAX_WAITING')} replies of one organization wait, its further requests wait before they are executed`,
      `503 with \`Retry-After\`; 400 if the reply to a \`GET\` request alone is longer than ${bytes(budget('SHARE_BYTES'))}`,
    ],
    [
      'Shapes of slow operations for which the performance advisor suggests indexes',
      `${count(service('resources/performance-advisor/suggestions')('MAX_SHAPES'))} shapes`,
      'The advisor ignores the shapes whose operations took less time than those of the others',
    ],
    [
      'Unread body of a rejected request',
      `the service reads and discards up to ${bytes(bodyBytes)}, so that the client can use the connection again`,
      'The connection closes',
    ],
    [
      'Time to receive a request',
      `${time(defaultLimits.headersMs)} for the headers, ${time(defaultLimits.bodyMs)} for the body. A connection without data may stay open for ${time(defaultLimits.stillMs)}, and longer while the service works on its request`,
      'The connection closes, with 408 if a request has begun',
    ],
  ];
}

function connectionRows(): Row[] {
  const { connectionsPerAddress, connectionsFromLoopback } = defaultLimits;
  const turns = service('api/http/turns');
  const wrong = service('access/wrong-credentials');
  const passwords = service('resources/sessions/passwords');
  const names = service('resources/name-server/server');
  return [
    [
      'Pipelined requests of a connection',
      `the service processes one request of the connection at a time, and requests of other connections in between. Up to ${turns('MAX_WAITING')} further requests wait`,
      'The service stops reading from the connection',
    ],
    [
      'Input of all connections from one address. The service parses it in slices',
      `${bytes(service('api/http/input')('SLICE_BYTES'))} per slice. In each turn, ${time(service('api/http/input-turns')('TURN_MS'))} of time, and one request that takes longer`,
      'The input of other addresses is parsed in between',
    ],
    [
      'TLS handshakes that the service begins without a pause',
      `${count(service('api/http/handshake-turns')('PER_TURN'))}`,
      'Other work runs, and then the handshakes of other addresses are first',
    ],
    [
      'Connections',
      `${count(connectionsPerAddress)} from one address, ${count(connectionsFromLoopback)} from the machine of the service. Here and below, all IPv6 addresses with the same first 64 bits count as one address`,
      'The service closes the new connection',
    ],
    [
      'TLS handshakes of all connections to a cluster',
      `one in each turn of a connection thread. If the cluster has certificate authorities, a client can send ${bytes(engine('wire/limited-handshake')('MAX_HANDSHAKE_BYTES'))} until its handshake ends`,
      'Further handshakes wait. If the client sends more, the connection closes',
    ],
    [
      'Bytes of a document for all callers, such as an OpenAPI document, that wait until a client has read more',
      bytes(service('api/answer/send')('PIECE_BYTES')),
      'The service sends the next piece when the client has read the previous ones',
    ],
    [
      'Queries to the DNS server',
      `${bytes(names('MAX_QUERY_BYTES'))} and one question each. ${count(names('MAX_CONNECTIONS'))} connections, each of which stays open for ${time(names('IDLE_MS'))} without data`,
      'The query is ignored, or the connection closes',
    ],
    [
      'Event streams of an organization and its projects',
      `${count(service('resources/events/stream')('MAX_STREAMS'))} at each instance. The service sends events to their readers in turns, with requests of others in between`,
      '503 with `Retry-After`',
    ],
    [
      'Wrong credentials',
      `${wrong('WRONG_ATTEMPTS')} per caller and address in ${time(wrong('WINDOW_MS'))}`,
      '429',
    ],
    [
      'Logins with a password that wait for the check of their password',
      `${passwords('MAX_WAITING')} from one address, ${count(passwords('MAX_WAITING_IN_ALL'))} in all. Passwords are checked one after another, and addresses take turns`,
      '429 with `Retry-After`',
    ],
  ];
}

function definitionRows(): Row[] {
  const search = engine('interface/search/names');
  const roles = service('resources/database-users/custom-roles/rules');
  const lengths = service('resources/database-users/lengths');
  return [
    [
      'Search indexes of a cluster',
      count(search('MAX_INDEXES')),
      '400, or an error of the command of a driver',
    ],
    [
      'Definition of a search index, with the custom analyzers of the cluster',
      `${bytes(search('MAX_DEFINITION_BYTES'))}. A request can set at most half of it for the definition, and half for the analyzers`,
      '400, or an error of the command of a driver',
    ],
    [
      'Definitions of all search indexes of a cluster. For each definition, a copy of the custom analyzers of the cluster counts as well',
      bytes(search('MAX_DEFINITIONS_BYTES')),
      '400, the index is `FAILED`, or the command of a driver fails',
    ],
    [
      'Resources in all custom roles of a project',
      count(roles('MAX_RESOURCES')),
      '400. The service visits each inherited role once, however many roles inherit it',
    ],
    [
      'Names in roles of database users and in custom roles',
      `${lengths('MAX_DATABASE_NAME')} characters for a database, ${lengths('MAX_COLLECTION_NAME')} for a collection, ${lengths('MAX_ROLE_NAME')} for a role`,
      '400',
    ],
  ];
}

function projectRows(): Row[] {
  const alerts = service('resources/alerts/configurations/weight');
  const retention = service('resources/alerts/lifecycle/retention');
  const links = service('resources/live-migrations/links/changes');
  return [
    [
      'Alert configurations of a project',
      `${bytes(alerts('MAX_WEIGHT'))}. The service adds ${count(alerts('NOTIFICATION_WEIGHT'))} bytes for each notification, and ${alerts('PATTERN_WEIGHT')} bytes for each character of a regular expression`,
      '400',
    ],
    [
      'Closed alerts, and notifications that were sent',
      `the newest ${count(retention('KEPT_PER_PROJECT'))} alerts and the newest ${count(retention('KEPT_PER_PROJECT'))} notifications of a project, each for ${retention('KEPT_DAYS')} days of service time`,
      'Once an hour, the service deletes the others',
    ],
    [
      'Organizations that are connected to the same federation settings, and role assignments of all their role mappings',
      `${count(service('resources/federation/rules')('MAX_CONNECTED'))} organizations, ${count(service('resources/federation/rules')('MAX_ASSIGNMENTS'))} role assignments`,
      '400',
    ],
    [
      'Roles of a user, a team, an API key or a service account in organizations and projects',
      count(service('access/grants')('MAX_ROLES')),
      '400. A login with an identity provider leaves out roles in the last projects',
    ],
    [
      'Roles of all teams of an organization',
      count(service('resources/users/teams/rules')('MAX_TEAM_ROLES')),
      '400',
    ],
    [
      'Migration hosts, and link tokens, of an organization',
      `${links('MAX_HOSTS')} migration hosts that report, and ${links('MAX_TOKENS')} link tokens`,
      '400. Hosts that no longer report are forgotten',
    ],
    ['Projects of an organization', count(service('resources/projects/rules')('MAX_PROJECTS')), '400'],
    [
      'Managed namespaces and mapped locations of a global cluster',
      `${count(service('resources/global-writes/rules')('MAX_NAMESPACES'))} namespaces, ${count(service('resources/global-writes/schema')('MAX_MAPPINGS'))} locations`,
      '403',
    ],
    [
      'Test notifications of alert configurations',
      `${service('api/rates/rates')('RATE_LIMIT')} requests per minute and project, together with the other [rate-limited operations](contract/access.md#6-rate-limits)`,
      '429 with `Retry-After`',
    ],
    [
      'Running tasks of one project (backups, notifications, …)',
      'three quarters of the maximum number of running tasks. For tasks that wait for other services, half of this maximum. While tasks of other projects run, the limits are lower',
      'The tasks wait, and tasks of other projects start',
    ],
  ];
}

/** What servers outside of the service may send. */
function serverRows(): Row[] {
  const directory = service('resources/database-users/directory/verify');
  const outgoing = foundation('outgoing/bound-reply');
  const documents = service('resources/sessions/openid/documents');
  const connection = service('adopted/connection');
  const budget = service('adopted/reply-budget');
  return [
    [
      'Certificate authorities of database users of a project, and signatures that a login with a certificate verifies',
      `${count(service('resources/database-users/customer-authority/changes')('MAX_AUTHORITIES'))} certificates, ${count(engine('access/certificate-trust')('MAX_SIGNATURES'))} signatures. A signature on the curve P-521 counts twice. RSA keys of more than 8,192 bits, or with an exponent of more than 32 bits, and other elliptic curves than P-256, P-384, P-521, Ed25519 and Ed448 are not accepted`,
      '400 for a further certificate. With more signatures, the login fails',
    ],
    [
      'Response of a receiver of notifications, or of an OpenID provider',
      `${bytes(outgoing('MAX_HEAD_BYTES'))} up to the end of its head, and 10 s`,
      'The request fails',
    ],
    [
      'Metadata of an identity provider, and its keys',
      `${bytes(documents('MAX_BYTES'))} and ${count(documents('MAX_VALUES'))} values each`,
      'The login fails',
    ],
    [
      'Reply of an LDAP server that the service verifies',
      bytes(directory('MAX_REPLY_BYTES')),
      'The connection closes, and the verification fails',
    ],
    [
      'Replies of the servers of adopted deployments',
      `${count(connection('MAX_INSPECTED_BYTES'))} bytes if the service inspects the deployment, and ${count(connection('MAX_REPLY_BYTES'))} bytes for other commands. ${count(connection('MAX_REPLY_VALUES'))} values at all levels`,
      'The connection closes, and the command fails',
    ],
    [
      'All replies of the servers of an adopted deployment, without copies of data and logs',
      `${bytes(budget('MAX_BYTES'))} within ${time(budget('PERIOD_MS'))}, and [other limits](adopted-deployments.md#limits-of-what-servers-send)`,
      'The cluster is `REPAIRING`, and the service reads nothing from the servers for a minute',
    ],
  ];
}

function filterRows(): Row[] {
  const bounds = engine('observe/audit-filter-bounds');
  return [
    [
      'Audit filters',
      `${bounds('MAX_DEPTH')} levels, ${count(bounds('MAX_VALUES'))} values, ${count(bounds('MAX_CHARACTERS'))} characters; only comparison operators`,
      '400',
    ],
    [
      'Work of an audit filter on one audit message, and on the messages of one turn of the event loop',
      `${count(engine('observe/audit-filter')('MAX_STEPS'))} steps of patterns for a message; about ${count(512 * Number(engine('observe/audit-filter')('MAX_POLLS')))} comparisons in a turn, without small messages`,
      'The engine stops evaluating the filter, and records the message',
    ],
    [
      'Parameters of an audit message, such as the arguments of a command',
      `${count(engine('observe/sent-events')('MAX_PARAMETERS'))} characters of JSON`,
      'The message contains the first part of them, and the path of the rest in `truncated`',
    ],
  ];
}
