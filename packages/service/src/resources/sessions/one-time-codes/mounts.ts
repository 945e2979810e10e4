import type { Mount, MountRequest } from '../../../api/index.ts';
import type { Actor } from '../../../events/index.ts';
import { findUser, type UserRow } from '../../accounts/index.ts';
import type { Services } from '../../services.ts';
import { sessionFaults } from '../faults.ts';
import { bodyIn } from '../json-body.ts';
import { noContent, replyTo } from '../login.ts';
import type { PasswordChecks } from '../passwords.ts';
import { requireSession } from '../present.ts';
import { deleteSessionsOf } from '../rows.ts';
import { confirm, enrol } from './changes.ts';
import { confirmCodes, createCodes, readCodes, turnOffCodes } from './endpoints.ts';
import { recordCodes } from './events.ts';
import { deleteCodes, findCodes } from './rows.ts';

/** Endpoints for the one-time codes of the person who is logged in. `checks` counts wrong passwords and codes. */
export const codeMounts: readonly ((services: Services, checks: PasswordChecks) => Mount)[] = [
  read,
  create,
  turnOn,
  turnOff,
];

function read(services: Services): Mount {
  return {
    ...readCodes,
    async handle(request) {
      const { session } = await requireSession(services, request);
      const row = await services.store.read((tx) => findCodes(tx, session.userId));
      const isOn = row?.isConfirmed ?? false;
      return replyTo(readCodes, { isOn, recoveryCodesLeft: row?.recovery.length ?? 0 });
    },
  };
}

function create(services: Services, checks: PasswordChecks): Mount {
  return {
    ...createCodes,
    async handle(request) {
      const { user } = await requirePerson(services, request);
      const { password } = bodyIn(request, createCodes.body);
      await checks.checkPassword(request, user.username, password);
      return replyTo(createCodes, await services.store.write((tx) => enrol(tx, services, user)));
    },
  };
}

function turnOn(services: Services, checks: PasswordChecks): Mount {
  return {
    ...confirmCodes,
    async handle(request) {
      const { user, sessionId } = await requirePerson(services, request);
      const { code } = bodyIn(request, confirmCodes.body);
      const recoveryCodes = await checks.counted(request, user.username, () =>
        services.store.write(async (tx) => {
          const codes = await confirm(tx, services, user.id, code);
          await recordCodes(tx, 'USER_ONE_TIME_CODES_TURNED_ON', user, actorOf(user, request));
          // End all other sessions, because somebody may have opened them with a stolen password.
          await deleteSessionsOf(tx, user.id, sessionId);
          return codes;
        }),
      );
      return replyTo(confirmCodes, { recoveryCodes: [...recoveryCodes] });
    },
  };
}

function turnOff(services: Services, checks: PasswordChecks): Mount {
  return {
    ...turnOffCodes,
    async handle(request) {
      const { user } = await requirePerson(services, request);
      const { password, code } = bodyIn(request, turnOffCodes.body);
      await checks.check(request, { username: user.username, password, code });
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
