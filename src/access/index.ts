export { type Access, type AccessOptions, openAccess } from './access.ts';
export { assertAddressAllowed } from './address-list.ts';
export { allows, refusal, type VisibleScopes, visibleScopes } from './allowance.ts';
export { type ApiKey, countKeys, describeKey, findKey, pageOfKeys } from './api-keys/api-keys.ts';
export { keyOfPair } from './api-keys/proof.ts';
export { openServerCertificate, type ServerCertificateOptions, serverNames } from './authority.ts';
export type { Caller, Grant, Scope, ScopeKind } from './caller.ts';
export {
  type CallerAddress,
  callerAddress,
  canonicalBlock,
  contains,
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
  removeGrantsOf,
  removePrincipal,
  removePrincipalsOf,
  revokeRole,
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
  type NewApiKey,
  type NewSecret,
  type NewServiceAccount,
} from './principals.ts';
export type { RequestFacts } from './request.ts';
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
export {
  type AccountSecret,
  countAccounts,
  deleteSecret,
  findAccount,
  pageOfAccounts,
  renameAccount,
  type ServiceAccount,
} from './service-accounts/service-accounts.ts';
export type { OAuthAnswer, OAuthEndpoints, OAuthRequest } from './tokens/oauth.ts';
export { countRequests, pageOfRequests, TRAIL_SIZE, type TrailEntry } from './trail/rows.ts';
