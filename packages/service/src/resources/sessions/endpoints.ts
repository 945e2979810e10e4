import Type from 'typebox';
import { endpoint } from '../../api/endpoint.ts';
import { Id } from '../../api/fields.ts';
import {
  machineTime,
  NewPerson,
  newPassword,
  oneTimeCode,
  presentPassword,
  text,
  token,
  username,
} from './fields.ts';

/** This file describes the endpoints for logins, sessions and passwords. The files `…mounts.ts` handle their requests. */

const tag = 'Console';

export const logIn = endpoint({
  id: 'consoleLogin',
  summary: 'Logs in with a password. The response sets the cookie of the session.',
  tag,
  method: 'POST',
  path: '/console/session',
  access: 'no credentials',
  body: Type.Object({
    username: text('The user name, which is a mail address.'),
    password: presentPassword,
    code: Type.Optional(oneTimeCode),
  }),
  status: 204,
});

export const readSession = endpoint({
  id: 'consoleSession',
  summary: 'Returns the session of the request, and its CSRF token.',
  tag,
  method: 'GET',
  path: '/console/session',
  access: 'session',
  reply: Type.Object({
    csrfToken: Type.String({
      description: 'The value for the header `X-CSRF-Token`, which requests other than GET need.',
    }),
    expiresAt: machineTime('The time at which the session ends in any case.'),
    idleAt: machineTime('The time at which the session ends if it is not used again.'),
    operator: Type.Boolean({ description: 'Whether the session has the rights of the operator.' }),
    serviceTime: Type.String({ format: 'date-time', description: 'The current service time.' }),
    user: Type.Object({
      firstName: Type.String(),
      id: Id(),
      lastName: Type.String(),
      username: Type.String(),
    }),
  }),
  status: 200,
});

export const logOut = endpoint({
  id: 'consoleLogout',
  summary: 'Ends the session of the request.',
  tag,
  method: 'DELETE',
  path: '/console/session',
  access: 'session',
  status: 204,
});

export const listSessions = endpoint({
  id: 'consoleSessions',
  summary: 'Returns the sessions of the user.',
  tag,
  method: 'GET',
  path: '/console/sessions',
  access: 'session',
  reply: Type.Object({
    results: Type.Array(
      Type.Object({
        address: Type.String({ description: 'The address from which the user logged in.' }),
        agent: Type.String({ description: 'The header `User-Agent` of the login.' }),
        created: machineTime('The time of the login.'),
        current: Type.Boolean({ description: 'Whether this is the session of the request.' }),
        id: Type.String(),
        lastUsed: machineTime('The time of the last request, with an accuracy of a minute.'),
        operator: Type.Boolean({ description: 'Whether the session has the rights of the operator.' }),
      }),
    ),
  }),
  status: 200,
});

export const endSession = endpoint({
  id: 'consoleEndSession',
  summary: 'Ends a session of the user.',
  tag,
  method: 'DELETE',
  path: '/console/sessions/{sessionId}',
  access: 'session',
  status: 204,
});

export const loginMethods = endpoint({
  id: 'consoleLoginMethods',
  summary:
    'Returns how people can log in without a password. The query parameter `provider` is the id of an identity provider of an organization.',
  tag,
  method: 'GET',
  path: '/console/login-methods',
  access: 'no credentials',
  reply: Type.Object({
    identityProvider: Type.Union([Type.String(), Type.Null()], {
      description: 'The host of the identity provider that the query names; null if no organization uses it.',
    }),
    openIdProvider: Type.Union([Type.String(), Type.Null()], {
      description: 'The host of the OpenID provider; null if none is set.',
    }),
  }),
  status: 200,
});

export const readInvitation = endpoint({
  id: 'consoleInvitation',
  summary: 'Returns the invitation to which a link belongs.',
  tag,
  method: 'POST',
  path: '/console/invitation',
  access: 'no credentials',
  body: Type.Object({ token }),
  reply: Type.Object({
    hasAccount: Type.Boolean({
      description: 'Whether the invited person has an account with a verified mail address.',
    }),
    inviter: Type.String({ description: 'The user name of the inviter.' }),
    orgName: Type.String({ description: 'The name of the organization.' }),
    username: Type.String({ description: 'The user name of the invited person.' }),
  }),
  status: 200,
});

export const acceptInvitation = endpoint({
  id: 'consoleAcceptInvitation',
  summary:
    'Accepts an invitation. People who have no account with a verified mail address must send their names and a password. The response then logs them in.',
  tag,
  method: 'POST',
  path: '/console/invitation/accept',
  access: 'no credentials',
  body: Type.Object({ token, ...Type.Partial(NewPerson).properties }),
  status: 204,
});

export const requestResetMail = endpoint({
  id: 'consoleAskForReset',
  summary: 'Mails a link to set a new password, if the user exists.',
  tag,
  method: 'POST',
  path: '/console/reset-mails',
  access: 'no credentials',
  body: Type.Object({ username }),
  reply: Type.Object({}),
  status: 202,
});

export const resetPassword = endpoint({
  id: 'consoleResetPassword',
  summary: 'Sets a new password, and ends all sessions of the user.',
  tag,
  method: 'POST',
  path: '/console/reset',
  access: 'no credentials',
  body: Type.Object({ token, password: newPassword }),
  status: 204,
});
