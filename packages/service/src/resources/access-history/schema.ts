import Type from 'typebox';
import { Id } from '../../api/fields.ts';

/** As many as a request may ask for, and gets where it does not say (contract 4.2). */
const MOST = 20_000;

const AccessLog = Type.Object({
  authResult: Type.Boolean({ description: 'Whether the log-in succeeded.' }),
  authSource: Type.String({ description: "The database that the caller has named as the user's." }),
  failureReason: Type.Union([Type.String(), Type.Null()]),
  groupId: Id(),
  hostname: Type.String(),
  ipAddress: Type.String(),
  logLine: Type.String({ description: 'The line of the log of the node, as JSON.' }),
  timestamp: Type.String(),
  username: Type.String(),
});

export const AccessLogs = Type.Object({
  accessLogs: Type.Array(AccessLog, { description: 'The newest first; those of the last seven days.' }),
});
export type AccessLogs = Type.Static<typeof AccessLogs>;

const Instant = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description }));

export const AccessLogQuery = Type.Object({
  authResult: Type.Optional(
    Type.Boolean({ description: 'Those that succeeded alone, or those that failed.' }),
  ),
  end: Instant('Milliseconds since 1970; given with `start`.'),
  ipAddress: Type.Optional(
    Type.String({ maxLength: 64, description: 'Log-ins from this IPv4 address alone.' }),
  ),
  nLogs: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST, default: MOST })),
  start: Instant('Milliseconds since 1970; given with `end`.'),
});
export type AccessLogQuery = Type.Static<typeof AccessLogQuery>;
