import Type from 'typebox';
import { Id } from '../../api/fields.ts';

/** Maximum and default number of logins per request (docs/contract/api.md 4.2). */
const MAX_LOGS = 20_000;

const AccessLog = Type.Object({
  authResult: Type.Boolean({ description: 'Whether the login succeeded.' }),
  authSource: Type.String({ description: 'Database against which the client authenticated.' }),
  failureReason: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the login failed; null if it succeeded.',
  }),
  groupId: Id(),
  hostname: Type.String(),
  ipAddress: Type.String(),
  logLine: Type.String({ description: "Entry of the node's log about this login, as JSON text." }),
  timestamp: Type.String({ description: 'Time of the login in ISO 8601, such as `2026-03-01T12:00:00Z`.' }),
  username: Type.String({ description: 'Name of the database user.' }),
});

export const AccessLogs = Type.Object({
  accessLogs: Type.Array(AccessLog, { description: 'Logins of the last seven days, newest first.' }),
});
export type AccessLogs = Type.Static<typeof AccessLogs>;

const Instant = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description }));

export const AccessLogQuery = Type.Object({
  authResult: Type.Optional(
    Type.Boolean({ description: '`true` returns only successful logins, `false` only failed ones.' }),
  ),
  end: Instant('Time of the newest login to return, in milliseconds since 1970; requires `start`.'),
  ipAddress: Type.Optional(
    Type.String({ maxLength: 64, description: 'Returns only logins from this IPv4 address.' }),
  ),
  nLogs: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_LOGS,
      default: MAX_LOGS,
      description: 'Maximum number of logins to return.',
    }),
  ),
  start: Instant('Time of the oldest login to return, in milliseconds since 1970; requires `end`.'),
});
export type AccessLogQuery = Type.Static<typeof AccessLogQuery>;
