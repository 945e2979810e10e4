import { faults } from '@portolan/foundation/faults';

export const sessionFaults = faults({
  NOT_LOGGED_IN: [401, 'There is no session, or it has ended.'],
  INVALID_LOGIN: [401, 'The user name or the password is wrong.'],
  CODE_REQUIRED: [401, 'A one-time code is required.'],
  INVALID_CODE: [401, 'The one-time code is wrong, or has already been used.'],
  CODES_ALREADY_ON: [409, 'One-time codes are already turned on.'],
  NO_CODES: [404, 'One-time codes are not set up for this user.'],
  NO_IDENTITY: [404, 'The user is not linked to an account at the OpenID provider.'],
  LINK_ENDED: [410, 'The link has already been used, or it has expired.'],
  INVALID_CSRF_TOKEN: [403, 'The header X-CSRF-Token does not belong to the session.'],
  SESSION_NOT_FOUND: [404, 'There is no session with the id {0}.'],
});
