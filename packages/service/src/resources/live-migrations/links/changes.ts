import { timingSafeEqual } from 'node:crypto';
import { contains, hashSecret, newToken, parseBlock } from '../../../access/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import type { Services } from '../../services.ts';
import type { Report } from '../protocol.ts';
import { linkFaults } from './faults.ts';
import {
  type AgentRow,
  agentsOf,
  deleteAgent,
  deleteLink,
  findAgent,
  insertToken,
  putAgent,
  setUsedBy,
  type TokenRow,
  tokenById,
  tokensOf,
} from './rows.ts';
import { isConnected } from './rules.ts';
import { linkDeleted } from './topics.ts';

/** Limits of an organization. A report of a migration host has up to 16 KiB, and requests read the reports of all. */
export const MAX_TOKENS = 100;
export const MAX_HOSTS = 100;

const sealContext = (id: string) => `link token ${id}`;

/**
 * Creates a link token. The token contains the URL of the service, so that a migration host needs only the token to
 * connect. The service stores only an encrypted hash of the token's secret.
 */
export function newLinkToken(
  { random, secrets, publicUrl }: Services,
  {
    id,
    orgId,
    addresses,
  }: { readonly id: string; readonly orgId: string; readonly addresses: readonly string[] },
): { readonly row: TokenRow; readonly linkToken: string } {
  const secret = newToken(random, '');
  const sealed = secrets.seal(hashSecret(secret), sealContext(id));
  const linkToken = Buffer.from(JSON.stringify({ url: publicUrl, id, secret })).toString('base64url');
  return { row: { id, orgId, sealed, addresses, usedBy: undefined }, linkToken };
}

/** Stores a token. Throws MAX_LINK_TOKENS_EXCEEDED. */
export async function addToken(tx: Tx, row: TokenRow): Promise<void> {
  if ((await tokensOf(tx, row.orgId)).length >= MAX_TOKENS)
    throw linkFaults.MAX_LINK_TOKENS_EXCEEDED(MAX_TOKENS);
  await insertToken(tx, row);
}

/**
 * Deletes the link between the organization `orgId` and its source organization, and publishes `linkDeleted`. Returns
 * false, and changes nothing, if `orgId` has no link token.
 */
export async function unlink(tx: Tx, orgId: string): Promise<boolean> {
  if ((await tokensOf(tx, orgId)).length === 0) return false;
  await deleteLink(tx, orgId);
  await tx.publish(linkDeleted, { orgId });
  return true;
}

/** Verifies the token of a report. Throws if the token is invalid, or if it may not be used from this address. */
export async function requireToken(
  tx: ReadTx,
  { secrets }: Services,
  { authorization = '', address }: { readonly authorization?: string | undefined; readonly address: string },
): Promise<TokenRow> {
  const [, id = '', secret = ''] = /^Bearer ([a-f0-9]{24})\.([\w-]+)$/.exec(authorization) ?? [];
  const row = id === '' ? undefined : await tokenById(tx, id);
  if (
    row === undefined ||
    !timingSafeEqual(secrets.open(row.sealed, sealContext(row.id)), hashSecret(secret))
  ) {
    throw linkFaults.LINK_TOKEN_INVALID();
  }
  if (row.addresses.length > 0 && !contains(row.addresses.map(parseBlock), address)) {
    throw linkFaults.LINK_TOKEN_ADDRESS_NOT_ALLOWED(address);
  }
  return row;
}

interface Reporting {
  readonly token: TokenRow;
  readonly report: Report;
  readonly host: string;
  readonly address: string;
  readonly machineNow: number;
}

/**
 * Records a report of a migration host. The organization `token.orgId` is linked with the first source organization
 * that uses one of its tokens. Throws if another source organization is linked already, or if there are too many
 * migration hosts.
 */
export async function recordReport(
  tx: Tx,
  { token, report, host, address, machineNow }: Reporting,
): Promise<AgentRow> {
  const linked = (await tokensOf(tx, token.orgId)).find(({ usedBy }) => usedBy !== undefined)?.usedBy;
  if (linked !== undefined && linked !== report.organization) {
    throw linkFaults.ORGANIZATION_ALREADY_LINKED(linked);
  }
  if (token.usedBy === undefined) await setUsedBy(tx, token.id, report.organization);
  const before = await findAgent(tx, token.orgId, host);
  if (before === undefined) await makeRoom(tx, token.orgId, machineNow);
  const row: AgentRow = {
    id: before?.id ?? tx.id(),
    orgId: token.orgId,
    host,
    address,
    projects: report.projects,
    heard: machineNow,
  };
  await putAgent(tx, row);
  return row;
}

/** Forgets migration hosts that no longer report, if the organization has as many as it may have. */
async function makeRoom(tx: Tx, orgId: string, machineNow: number): Promise<void> {
  const agents = await agentsOf(tx, orgId);
  if (agents.length < MAX_HOSTS) return;
  const silent = agents.filter((agent) => !isConnected(agent, machineNow));
  if (silent.length === 0) throw linkFaults.MAX_MIGRATION_HOSTS_EXCEEDED(MAX_HOSTS);
  for (const { id } of silent) await deleteAgent(tx, id);
}
