export { type Access, openAccess } from './access.ts';
export { assertAddressAllowed } from './address-list.ts';
export { allows, missingRole, refusal, visibleScopes } from './allowance.ts';
export { type ApiKey, countKeys, describeKey, findKey, pageOfKeys } from './api-keys/api-keys.ts';
export { keyOfPair } from './api-keys/proof.ts';
export { openServerCertificate, serverNames } from './authority.ts';
export { type Caller, callerKinds, type Grant, type Scope, type Session } from './caller.ts';
export {
  type CallerAddress,
  callerAddress,
  canonicalBlock,
  contains,
  networkOf,
  parseBlock,
  singleAddress,
} from './caller-address.ts';
export { Challenge, challengeBody } from './challenge.ts';
export {
  type AddressEntry,
  addAddress,
  countEntries,
  findEntry,
  isAccessListRequired,
  pageOfEntries,
  removeAddress,
  requireAccessList,
} from './entries/entries.ts';
export { accessFaults } from './faults.ts';
export {
  countOwners,
  type GrantPlace,
  grantRole,
  grantsHeldBy,
  grantsOn,
  MAX_ROLES,
  removeGrantsOf,
  removePrincipal,
  removePrincipalsOf,
  rolesAt,
  setRoles,
} from './grants.ts';
export { migrations } from './migrations.ts';
export { createOperatorToken } from './operator.ts';
export {
  addSecret,
  assertKeyPair,
  createApiKey,
  createServiceAccount,
  isKeyPair,
  type KeyPair,
  type NewSecret,
} from './principals.ts';
export {
  acceptedRoles,
  groupRoles,
  isRole,
  orgRoles,
  type Role,
  type RolePhrase,
  rolePhrases,
  roles,
} from './roles.ts';
export type { HeldGrant, PrincipalOwner } from './rows.ts';
export { holdRoles } from './rows.ts';
export { hashSecret, newToken } from './secrets.ts';
export {
  type AccountSecret,
  countAccounts,
  deleteSecret,
  findAccount,
  pageOfAccounts,
  renameAccount,
  type ServiceAccount,
} from './service-accounts/service-accounts.ts';
export {
  lastSecrets,
  type SecretWarning,
  setWarning,
  warningAbout,
} from './service-accounts/warnings.ts';
export type { OAuthAnswer, OAuthRequest } from './tokens/oauth.ts';
export { countRequests, pageOfRequests, TRAIL_SIZE, type TrailEntry } from './trail/rows.ts';
export { tooManyAttempts, WrongCredentials } from './wrong-credentials.ts';
