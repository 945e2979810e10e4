import type { Mount, MountAnswer, MountRequest } from '../../../api/index.ts';
import type { Actor } from '../../../events/index.ts';
import { findUser, type UserRow } from '../../accounts/index.ts';
import type { Services } from '../../services.ts';
import { sessionFaults } from '../faults.ts';
import { jsonBody, textIn } from '../json-body.ts';
import { noContent, noStore } from '../login.ts';
import type { PasswordChecks } from '../passwords.ts';
import { requireSession } from '../present.ts';
import { deleteSessionsOf } from '../rows.ts';
import { confirm, enrol } from './changes.ts';
import { recordCodes } from './events.ts';
import { deleteCodes, findCodes } from './rows.ts';

const PATH = '/console/one-time-codes';

/** Endpoints for the one-time codes of the person who is logged in. `checks` counts wrong passwords and codes. */
export const codeMounts: readonly ((services: Services, checks: PasswordChecks) => Mount)[] = [
  read,
  create,
  turnOn,
  turnOff,
];

function read(services: Services): Mount {
  return {
    id: 'consoleOneTimeCodes',
    method: 'GET',
    path: PATH,
    async handle(request) {
      const { session } = await requireSession(services, request);
      const row = await services.store.read((tx) => findCodes(tx, session.userId));
      const isOn = row?.isConfirmed ?? false;
      return document({ isOn, recoveryCodesLeft: row?.recovery.length ?? 0 });
    },
  };
}

function create(services: Services, checks: PasswordChecks): Mount {
  return {
    id: 'consoleCreateOneTimeCodes',
    method: 'POST',
    path: PATH,
    async handle(request) {
      const { user } = await requirePerson(services, request);
      await checks.checkPassword(request, user.username, passwordIn(request));
      return document(await services.store.write((tx) => enrol(tx, services, user)));
    },
  };
}

function turnOn(services: Services, checks: PasswordChecks): Mount {
  return {
    id: 'consoleConfirmOneTimeCodes',
    method: 'POST',
    path: `${PATH}/confirm`,
    async handle(request) {
      const { user, sessionId } = await requirePerson(services, request);
      const code = textIn(jsonBody(request), 'code');
      const recoveryCodes = await checks.counted(request, user.username, () =>
        services.store.write(async (tx) => {
          const codes = await confirm(tx, services, user.id, code);
          await recordCodes(tx, 'USER_ONE_TIME_CODES_TURNED_ON', user, actorOf(user, request));
          // End all other sessions, because somebody may have opened them with a stolen password.
          await deleteSessionsOf(tx, user.id, sessionId);
          return codes;
        }),
      );
      return document({ recoveryCodes });
    },
  };
}

function turnOff(services: Services, checks: PasswordChecks): Mount {
  return {
    id: 'consoleDeleteOneTimeCodes',
    method: 'POST',
    path: `${PATH}/turn-off`,
    async handle(request) {
      const { user } = await requirePerson(services, request);
      const code = textIn(jsonBody(request), 'code');
      await checks.check(request, { username: user.username, password: passwordIn(request), code });
      await services.store.write(async (tx) => {
        if (await deleteCodes(tx, user.id))
          await recordCodes(tx, 'USER_ONE_TIME_CODES_TURNED_OFF', user, actorOf(user, request));
      });
      return noContent;
    },
  };
}

const actorOf = ({ id, username }: UserRow, { address }: MountRequest): Actor => ({
  userId: id,
  username,
  remoteAddress: address,
});

async function requirePerson(
  services: Services,
  request: MountRequest,
): Promise<{ readonly user: UserRow; readonly sessionId: string }> {
  const { session } = await requireSession(services, request);
  const user = await services.store.read((tx) => findUser(tx, session.userId));
  if (user === undefined) throw sessionFaults.NOT_LOGGED_IN();
  return { user, sessionId: session.id };
}

const passwordIn = (request: MountRequest) =>
  textIn(jsonBody(request), 'password', { most: Number.POSITIVE_INFINITY });

function document(value: object): MountAnswer {
  return { status: 200, headers: noStore, body: '', document: value };
}
