import Type from 'typebox';
import { Id } from '../../api/fields.ts';

/** Maximum and default number of logins per request (docs/contract/api.md 4.2). */
const MAX_LOGS = 20_000;

const AccessLog = Type.Object({
  authResult: Type.Boolean({ description: 'Whether the login succeeded.' }),
  authSource: Type.String({ description: 'The authentication database named by the client.' }),
  failureReason: Type.Union([Type.String(), Type.Null()]),
  groupId: Id(),
  hostname: Type.String(),
  ipAddress: Type.String(),
  logLine: Type.String({ description: 'Log line of the node, as JSON.' }),
  timestamp: Type.String(),
  username: Type.String(),
});

export const AccessLogs = Type.Object({
  accessLogs: Type.Array(AccessLog, { description: 'Logins of the last seven days, newest first.' }),
});
export type AccessLogs = Type.Static<typeof AccessLogs>;

const Instant = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description }));

export const AccessLogQuery = Type.Object({
  authResult: Type.Optional(
    Type.Boolean({ description: 'Returns only successful logins, or only failed ones.' }),
  ),
  end: Instant('Milliseconds since 1970; given with `start`.'),
  ipAddress: Type.Optional(
    Type.String({ maxLength: 64, description: 'Returns only logins from this IPv4 address.' }),
  ),
  nLogs: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_LOGS, default: MAX_LOGS })),
  start: Instant('Milliseconds since 1970; given with `end`.'),
});
export type AccessLogQuery = Type.Static<typeof AccessLogQuery>;
