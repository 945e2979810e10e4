import { join } from 'node:path';
import { writeAtomically } from '@portolan/foundation/atomic-file';
import { ConfigError } from '@portolan/foundation/command-line';
import {
  createApiKey,
  createOperatorToken,
  createServiceAccount,
  grantRole,
  isKeyPair,
  type KeyPair,
} from '../access/index.ts';
import { system } from '../events/index.ts';
import { addOrganization, findOrganization, type NewOrganization } from '../resources/organizations/index.ts';
import { addProject } from '../resources/projects/index.ts';
import type { Services } from '../resources/services.ts';
import { setOwnedOrganization } from '../resources/sessions/index.ts';
import { settings, type Tx } from '../store/index.ts';
import type { ServiceCertificate } from './steps/certificate.ts';

/** What the first start creates. */
export interface FirstAccess {
  readonly orgId: string;
  readonly groupId: string;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly operatorToken: string;
}

/** The content of `bootstrap.json`. */
export interface Bootstrap extends FirstAccess {
  readonly url: string;
  /**
   * Path of the PEM file with the certificate that clients must trust. Absent without TLS, and with a configured
   * certificate.
   */
  readonly caCertificate?: string;
}

const SETTING = 'first-access';
const ORGANIZATIONS = 'seeded-organizations';

/**
 * At the first start, creates an organization, a project, an API key and a service account that own the
 * organization, and the operator token. Stores these credentials encrypted, so that any instance can write
 * `bootstrap.json`, even after a crash. `pair` is the configured key pair of the API key. If `pair` differs
 * from the stored pair at a later start, adds it as another API key.
 */
export async function firstAccess(
  services: Services,
  pair: KeyPair | undefined,
): Promise<{ readonly access: FirstAccess; readonly isMade: boolean }> {
  const { store, secrets } = services;
  return store.write(async (tx) => {
    const sealed = await settings.readSealed(tx, secrets, SETTING);
    const known = sealed && (JSON.parse(sealed.toString()) as FirstAccess);
    const access = known
      ? await withPair(tx, services, known, pair)
      : await makeFirstAccess(tx, services, pair);
    await setOwnedOrganization(tx, access.orgId);
    if (access !== known) await settings.writeSealed(tx, secrets, SETTING, JSON.stringify(access));
    return { access, isMade: known === undefined };
  });
}

async function makeFirstAccess(tx: Tx, services: Services, pair: KeyPair | undefined): Promise<FirstAccess> {
  const org = await addOrganization(tx, system, { name: 'First organization', skipDefaultAlerts: false });
  const project = await addProject(tx, system, {
    orgId: org.id,
    name: 'First project',
    regionUsage: 'COMMERCIAL_FEDRAMP_REGIONS_ONLY',
    tags: [],
  });
  const key = await addOwnerKey(tx, services, org.id, pair);
  const account = await addOwnerAccount(tx, services, org.id, {
    name: 'First account',
    description: 'Made at the first start',
  });
  return {
    ...account,
    groupId: project.id,
    publicKey: key.publicKey,
    privateKey: key.privateKey,
    operatorToken: await createOperatorToken(tx, services),
  };
}

async function withPair(
  tx: Tx,
  services: Services,
  known: FirstAccess,
  pair: KeyPair | undefined,
): Promise<FirstAccess> {
  if (!pair || (pair.publicKey === known.publicKey && pair.privateKey === known.privateKey)) return known;
  const present = await isKeyPair(tx, services, pair);
  if (present === false)
    throw new ConfigError('--private-key does not belong to the existing key of --public-key');
  if (present === undefined) await addOwnerKey(tx, services, known.orgId, pair);
  return { ...known, ...pair };
}

/** Credentials of the service account that owns an organization. */
export type OrganizationAccess = Pick<FirstAccess, 'clientId' | 'clientSecret' | 'orgId'>;

async function addOwnerAccount(
  tx: Tx,
  services: Services,
  orgId: string,
  named: { readonly name: string; readonly description: string },
): Promise<OrganizationAccess> {
  const { clientId, secret } = await createServiceAccount(tx, services, { orgId, ...named });
  await grantRole(tx, clientId, { kind: 'org', id: orgId }, 'ORG_OWNER');
  return { orgId, clientId, clientSecret: secret.clear };
}

/**
 * Returns credentials of a service account that owns the organization with this name. Creates the organization, unless
 * an earlier call has created it and it still exists. The service keeps its own list of these names, since no caller
 * can search all organizations.
 */
export async function organizationAccess(
  services: Services,
  organization: NewOrganization,
): Promise<OrganizationAccess> {
  const { store, secrets } = services;
  return store.write(async (tx) => {
    const sealed = await settings.readSealed(tx, secrets, ORGANIZATIONS);
    const known: Record<string, OrganizationAccess> = sealed ? JSON.parse(sealed.toString()) : {};
    const before = known[organization.name];
    if (before !== undefined && (await findOrganization(tx, before.orgId))) return before;
    const { id, name } = await addOrganization(tx, system, organization);
    const access = await addOwnerAccount(tx, services, id, {
      name: 'Seed',
      description: 'Creates what the seed file of the organization contains',
    });
    await settings.writeSealed(tx, secrets, ORGANIZATIONS, JSON.stringify({ ...known, [name]: access }));
    return access;
  });
}

async function addOwnerKey(tx: Tx, services: Services, orgId: string, pair: KeyPair | undefined) {
  const key = await createApiKey(tx, services, { orgId, description: 'Made at start', pair });
  await grantRole(tx, key.id, { kind: 'org', id: orgId }, 'ORG_OWNER');
  return key;
}

/** Writes `bootstrap.json` atomically, readable only by its owner; returns its content. */
export async function writeBootstrap(
  dataDirectory: string,
  url: string,
  access: FirstAccess,
  certificate: ServiceCertificate | undefined,
): Promise<Bootstrap> {
  const authorityFile = certificate?.authorityFile;
  const bootstrap: Bootstrap = {
    url,
    ...access,
    ...(authorityFile === undefined ? {} : { caCertificate: authorityFile }),
  };
  await writeAtomically(join(dataDirectory, 'bootstrap.json'), `${JSON.stringify(bootstrap, null, 2)}\n`);
  return bootstrap;
}
