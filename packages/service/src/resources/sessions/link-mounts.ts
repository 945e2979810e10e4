import { networkOf, tooManyAttempts, WrongCredentials } from '../../access/index.ts';
import type { Mount } from '../../api/index.ts';
import { findUser, hashPassword, updatePasswordHash, updateProfile } from '../accounts/index.ts';
import { invitationOf, requestReset, resetOf } from '../mails/index.ts';
import { findOrganization } from '../organizations/index.ts';
import type { Services } from '../services.ts';
import { acceptAs, acceptWithAccount } from '../users/index.ts';
import { sessionFaults } from './faults.ts';
import { jsonBody, newPasswordIn, textIn } from './json-body.ts';
import { loggedIn, noContent, noStore } from './login.ts';
import { proveAddress } from './proof.ts';
import { deleteSessionsOf } from './rows.ts';

/** Endpoints for requesting mails with links, and for using these links. */
export const linkMounts: readonly ((services: Services) => Mount)[] = [
  readInvitation,
  acceptInvitation,
  requestResetMail,
  resetPassword,
];

function readInvitation(services: Services): Mount {
  return {
    id: 'consoleInvitation',
    method: 'POST',
    path: '/console/invitation',
    async handle(request) {
      const token = textIn(jsonBody(request), 'token');
      const document = await services.store.read(async (tx) => {
        const invitation = await invitationOf(tx, services, token);
        if (invitation === undefined) throw sessionFaults.LINK_ENDED();
        const { username, userId, orgId, inviter } = invitation;
        const orgName = (await findOrganization(tx, orgId))?.name ?? '';
        const hasAccount = (await findUser(tx, userId))?.proven !== undefined;
        return { hasAccount, inviter, orgName, username };
      });
      return { status: 200, headers: noStore, body: '', document };
    },
  };
}

/**
 * Accepts an invitation. A person without an account gets an account, and is logged in. If the person has an account
 * whose mail address is unverified, the account gets the entered password. Any other person only joins the
 * organization, and then logs in with the present password of the account.
 */
function acceptInvitation(services: Services): Mount {
  const { store, random } = services;
  return {
    id: 'consoleAcceptInvitation',
    method: 'POST',
    path: '/console/invitation/accept',
    async handle(request) {
      const body = jsonBody(request);
      const token = textIn(body, 'token');
      const joined = await store.write(async (tx) => {
        const invitation = await invitationOf(tx, services, token);
        if (invitation === undefined) throw sessionFaults.LINK_ENDED();
        const user = await findUser(tx, invitation.userId);
        if (user?.proven === undefined) return false;
        await acceptAs(tx, user, invitation);
        return true;
      });
      if (joined) return noContent;
      const names = { least: 1, most: 128 };
      const firstName = textIn(body, 'firstName', names);
      const lastName = textIn(body, 'lastName', names);
      const passwordHash = await hashPassword(random, newPasswordIn(body), networkOf(request.address));
      const { id: userId } = await store.write(async (tx) => {
        const invitation = await invitationOf(tx, services, token);
        const user = invitation && (await findUser(tx, invitation.userId));
        if (invitation === undefined || user?.proven !== undefined) throw sessionFaults.LINK_ENDED();
        if (user === undefined)
          return acceptWithAccount(tx, invitation, { firstName, lastName, passwordHash });
        await updateProfile(tx, { ...user, firstName, lastName });
        await proveAddress(tx, user, passwordHash);
        await acceptAs(tx, user, invitation);
        return user;
      });
      return { ...noContent, headers: await loggedIn(services, request, { userId, isOperator: false }) };
    },
  };
}

const RESET = 'new password';

/**
 * Requests a mail with a link for a new password. Neither the response nor its duration reveals whether the user name
 * exists.
 */
function requestResetMail({ store, machine }: Services): Mount {
  const attempts = new WrongCredentials(store, machine);
  return {
    id: 'consoleAskForReset',
    method: 'POST',
    path: '/console/reset-mails',
    async handle(request) {
      const username = textIn(jsonBody(request), 'username', { least: 1, most: 254 });
      const wait = attempts.waitFor(RESET, request.address);
      if (wait > 0) throw tooManyAttempts({ target: request.path }, wait);
      await attempts.count(RESET, request.address);
      await store.write((tx) => requestReset(tx, username));
      return { ...noContent, status: 202 };
    },
  };
}

function resetPassword(services: Services): Mount {
  const { store, random } = services;
  return {
    id: 'consoleResetPassword',
    method: 'POST',
    path: '/console/reset',
    async handle(request) {
      const body = jsonBody(request);
      const token = textIn(body, 'token');
      const password = newPasswordIn(body);
      // Check the link before the password is hashed. Anyone can send tokens, so rejecting an invalid token must be
      // cheap.
      if (!(await store.read((tx) => resetOf(tx, services, token)))) throw sessionFaults.LINK_ENDED();
      const hash = await hashPassword(random, password, networkOf(request.address));
      await store.write(async (tx) => {
        const user = await resetOf(tx, services, token);
        if (user === undefined) throw sessionFaults.LINK_ENDED();
        await updatePasswordHash(tx, user.id, hash);
        await deleteSessionsOf(tx, user.id);
        await proveAddress(tx, user, hash);
      });
      return noContent;
    },
  };
}
