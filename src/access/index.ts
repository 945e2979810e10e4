export { type Access, type AccessOptions, openAccess } from './access.ts';
export { assertAddressAllowed } from './address-list.ts';
export { allows, refusal, type VisibleScopes, visibleScopes } from './allowance.ts';
export { openServerCertificate, type ServerCertificateOptions, serverNames } from './authority.ts';
export type { Caller, Grant, Scope, ScopeKind } from './caller.ts';
export { type CallerAddress, callerAddress } from './caller-address.ts';
export { Challenge, challengeBody } from './challenge.ts';
export { accessFaults } from './faults.ts';
export { type GrantPlace, grantRole, removeGrantsOf, removePrincipalsOf, revokeRole } from './grants.ts';
export { migrations } from './migrations.ts';
export { createOperatorToken } from './operator.ts';
export {
  assertKeyPair,
  createApiKey,
  createServiceAccount,
  isKeyPair,
  type KeyPair,
  type NewApiKey,
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
export type { OAuthAnswer, OAuthEndpoints, OAuthRequest } from './tokens/oauth.ts';
