import Type from 'typebox';
import { endpoint } from '../../../api/endpoint.ts';
import { oneTimeCode, presentPassword } from '../fields.ts';

const PATH = '/console/one-time-codes';
const tag = 'Console';

export const readCodes = endpoint({
  id: 'consoleOneTimeCodes',
  summary: 'Returns whether the one-time codes of the user are on.',
  tag,
  method: 'GET',
  path: PATH,
  access: 'session',
  reply: Type.Object({
    isOn: Type.Boolean({ description: 'Whether a login with a password requires a code.' }),
    recoveryCodesLeft: Type.Integer({ minimum: 0, description: 'The number of unused recovery codes.' }),
  }),
  status: 200,
});

export const createCodes = endpoint({
  id: 'consoleCreateOneTimeCodes',
  summary:
    'Returns a new secret for an authenticator app. The user must confirm the secret with a first code.',
  tag,
  method: 'POST',
  path: PATH,
  access: 'session',
  body: Type.Object({ password: presentPassword }),
  reply: Type.Object({
    secret: Type.String({ description: 'The secret in base32.' }),
    url: Type.String({ description: 'The URL with the secret, for authenticator apps.' }),
  }),
  status: 200,
});

export const confirmCodes = endpoint({
  id: 'consoleConfirmOneTimeCodes',
  summary: 'Turns one-time codes on, and ends all other sessions of the user.',
  tag,
  method: 'POST',
  path: `${PATH}/confirm`,
  access: 'session',
  body: Type.Object({ code: oneTimeCode }),
  reply: Type.Object({
    recoveryCodes: Type.Array(Type.String(), {
      description: 'Recovery codes. Each of them can replace a code of the authenticator app once.',
    }),
  }),
  status: 200,
});

export const turnOffCodes = endpoint({
  id: 'consoleDeleteOneTimeCodes',
  summary: 'Turns one-time codes off.',
  tag,
  method: 'POST',
  path: `${PATH}/turn-off`,
  access: 'session',
  body: Type.Object({ password: presentPassword, code: oneTimeCode }),
  status: 204,
});
