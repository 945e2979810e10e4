import { isSafeIssuer } from '@portolan/foundation/outgoing/issuers';
import { badValue, generalFaults } from '../../api/faults.ts';
import { federationFaults } from './faults.ts';
import type { ProviderRow, ProviderSettings } from './rows.ts';
import type { IdentityProviderBody } from './schema.ts';

/** A scope of OAuth (RFC 6749 3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;

type Given = Partial<IdentityProviderBody>;

/**
 * Returns the settings of an identity provider after a request. Absent fields stay unchanged. Throws if the settings
 * are invalid. `allowsLoopback`: whether issuers may have http URLs with loopback addresses.
 */
export function readProvider(
  body: Given,
  before: ProviderSettings | undefined,
  allowsLoopback: boolean,
): ProviderSettings {
  if (body.protocol !== undefined && body.protocol !== 'OIDC')
    throw federationFaults.IDENTITY_PROVIDER_PROTOCOL_NOT_SUPPORTED(body.protocol);
  const idpType = body.idpType ?? before?.idpType ?? 'WORKFORCE';
  if (before !== undefined && idpType !== before.idpType) throw generalFaults.ATTRIBUTE_READ_ONLY('idpType');
  const groupsClaim = body.groupsClaim ?? before?.groupsClaim;
  const authorizationType =
    body.authorizationType ?? before?.authorizationType ?? (groupsClaim === undefined ? 'USER' : 'GROUP');
  const isGroup = authorizationType === 'GROUP';
  const read: ProviderSettings = {
    idpType,
    authorizationType,
    displayName: given('displayName', body, before),
    description: body.description ?? before?.description ?? '',
    issuerUri: given('issuerUri', body, before),
    audience: given('audience', body, before),
    userClaim: body.userClaim ?? before?.userClaim ?? 'sub',
    ...(isGroup && { groupsClaim: groupsClaim ?? missing('groupsClaim') }),
    ...loginSettings(idpType, body, before),
  };
  if (!isSafeIssuer(read.issuerUri, allowsLoopback))
    throw badValue('issuerUri', 'must be an https URL without user, query and fragment');
  return read;
}

type LoginSettings = Pick<ProviderSettings, 'associatedDomains' | 'clientId' | 'requestedScopes'>;

function loginSettings(
  idpType: ProviderSettings['idpType'],
  body: Given,
  before: ProviderSettings | undefined,
): LoginSettings {
  const associatedDomains = body.associatedDomains ?? before?.associatedDomains ?? [];
  const requestedScopes = body.requestedScopes ?? before?.requestedScopes ?? [];
  if (idpType === 'WORKLOAD') {
    const used = {
      associatedDomains: associatedDomains[0],
      requestedScopes: requestedScopes[0],
      clientId: body.clientId,
    };
    for (const [name, value] of Object.entries(used))
      if (value !== undefined) throw badValue(name, 'is allowed only for WORKFORCE');
    return { associatedDomains, requestedScopes };
  }
  if (!associatedDomains.every((domain) => DOMAIN.test(domain)))
    throw badValue('associatedDomains', 'must contain domain names');
  if (!requestedScopes.every((scope) => SCOPE.test(scope)))
    throw badValue('requestedScopes', 'must contain scopes without spaces');
  return { associatedDomains, requestedScopes, clientId: given('clientId', body, before) };
}

type RequiredText = 'audience' | 'clientId' | 'displayName' | 'issuerUri';

function given(name: RequiredText, body: Given, before: ProviderSettings | undefined): string {
  return body[name] ?? before?.[name] ?? missing(name);
}

function missing(name: string): never {
  throw generalFaults.MISSING_ATTRIBUTE(name);
}

/** Throws IDENTITY_PROVIDER_ALREADY_EXISTS. */
export function checkUnique({ issuerUri, audience }: ProviderSettings, others: readonly ProviderRow[]): void {
  if (others.some((other) => other.issuerUri === issuerUri && other.audience === audience))
    throw federationFaults.IDENTITY_PROVIDER_ALREADY_EXISTS();
}
