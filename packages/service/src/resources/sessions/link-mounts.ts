import { networkOf, tooManyAttempts, WrongCredentials } from '../../access/index.ts';
import type { Mount } from '../../api/index.ts';
import { findUser, hashPassword, updatePasswordHash, updateProfile } from '../accounts/index.ts';
import { invitationOf, requestReset, resetOf } from '../mails/index.ts';
import { findOrganization } from '../organizations/index.ts';
import type { Services } from '../services.ts';
import { acceptAs, acceptWithAccount } from '../users/index.ts';
import * as endpoints from './endpoints.ts';
import { sessionFaults } from './faults.ts';
import { NewPerson } from './fields.ts';
import { bodyIn } from './json-body.ts';
import { loggedIn, noContent, replyTo } from './login.ts';
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
    ...endpoints.readInvitation,
    async handle(request) {
      const { token } = bodyIn(request, endpoints.readInvitation.body);
      const document = await services.store.read(async (tx) => {
        const invitation = await invitationOf(tx, services, token);
        if (invitation === undefined) throw sessionFaults.LINK_ENDED();
        const { username, userId, orgId, inviter } = invitation;
        const orgName = (await findOrganization(tx, orgId))?.name ?? '';
        const hasAccount = (await findUser(tx, userId))?.proven !== undefined;
        return { hasAccount, inviter, orgName, username };
      });
      return replyTo(endpoints.readInvitation, document);
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
    ...endpoints.acceptInvitation,
    async handle(request) {
      const { token } = bodyIn(request, endpoints.readInvitation.body);
      const joined = await store.write(async (tx) => {
        const invitation = await invitationOf(tx, services, token);
        if (invitation === undefined) throw sessionFaults.LINK_ENDED();
        const user = await findUser(tx, invitation.userId);
        if (user?.proven === undefined) return false;
        await acceptAs(tx, user, invitation);
        return true;
      });
      if (joined) return noContent;
      const { firstName, lastName, password } = bodyIn(request, NewPerson);
      const passwordHash = await hashPassword(random, password, networkOf(request.address));
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
    ...endpoints.requestResetMail,
    async handle(request) {
      const { username } = bodyIn(request, endpoints.requestResetMail.body);
      const wait = attempts.waitFor(RESET, request.address);
      if (wait > 0) throw tooManyAttempts({ target: request.path }, wait);
      await attempts.count(RESET, request.address);
      await store.write((tx) => requestReset(tx, username));
      return replyTo(endpoints.requestResetMail, {});
    },
  };
}

function resetPassword(services: Services): Mount {
  const { store, random } = services;
  return {
    ...endpoints.resetPassword,
    async handle(request) {
      const { token, password } = bodyIn(request, endpoints.resetPassword.body);
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
