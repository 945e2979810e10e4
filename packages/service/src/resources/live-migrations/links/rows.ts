import type { Selectable } from 'kysely';
import { codec, type ReadTx, type Tx } from '../../../store/index.ts';
import type { ReportedProject } from '../protocol.ts';

interface Tables {
  migration_link_token: {
    id: string;
    org_id: string;
    sealed: Uint8Array;
    addresses: string;
    used_by: string | null;
  };
  migration_agent: {
    id: string;
    org_id: string;
    host: string;
    address: string;
    projects: string;
    heard: number;
  };
}

export interface TokenRow {
  readonly id: string;
  readonly orgId: string;
  /** The encrypted hash of the token's secret. */
  readonly sealed: Uint8Array;
  /** The address blocks from which the token may be used; empty if it may be used from anywhere. */
  readonly addresses: readonly string[];
  /** The source organization that uses the token. */
  readonly usedBy: string | undefined;
}

/** A migration host of a source organization. */
export interface AgentRow {
  readonly id: string;
  readonly orgId: string;
  readonly host: string;
  /** The address from which the migration host reports. */
  readonly address: string;
  readonly projects: readonly ReportedProject[];
  /** Machine time of the last report in milliseconds. */
  readonly heard: number;
}

const addresses = codec.json<readonly string[]>();
const projects = codec.json<readonly ReportedProject[]>();

function readToken(row: Selectable<Tables['migration_link_token']>): TokenRow {
  return {
    id: row.id,
    orgId: row.org_id,
    sealed: row.sealed,
    addresses: addresses.read(row.addresses),
    usedBy: row.used_by ?? undefined,
  };
}

function readAgent(row: Selectable<Tables['migration_agent']>): AgentRow {
  return {
    id: row.id,
    orgId: row.org_id,
    host: row.host,
    address: row.address,
    projects: projects.read(row.projects),
    heard: codec.int64.read(row.heard),
  };
}

export async function insertToken(tx: Tx, row: TokenRow): Promise<void> {
  await tx
    .from<Tables>()
    .insertInto('migration_link_token')
    .values({
      id: row.id,
      org_id: row.orgId,
      sealed: row.sealed,
      addresses: addresses.write(row.addresses),
      used_by: row.usedBy ?? null,
    })
    .execute();
}

export async function setUsedBy(tx: Tx, id: string, organization: string): Promise<void> {
  const update = tx.from<Tables>().updateTable('migration_link_token').set({ used_by: organization });
  await update.where('id', '=', id).execute();
}

export async function tokenById(tx: ReadTx, id: string): Promise<TokenRow | undefined> {
  const query = tx.from<Tables>().selectFrom('migration_link_token').selectAll();
  const row = await query.where('id', '=', id).executeTakeFirst();
  return row && readToken(row);
}

export async function tokensOf(tx: ReadTx, orgId: string): Promise<TokenRow[]> {
  const query = tx.from<Tables>().selectFrom('migration_link_token').selectAll();
  return (await query.where('org_id', '=', orgId).orderBy('id').execute()).map(readToken);
}

export async function deleteLink(tx: Tx, orgId: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('migration_link_token').where('org_id', '=', orgId).execute();
  await tx.from<Tables>().deleteFrom('migration_agent').where('org_id', '=', orgId).execute();
}

/** Returns the migration hosts of an organization, oldest first. */
export async function agentsOf(tx: ReadTx, orgId: string): Promise<AgentRow[]> {
  const query = tx.from<Tables>().selectFrom('migration_agent').selectAll();
  return (await query.where('org_id', '=', orgId).orderBy('id').execute()).map(readAgent);
}

export async function findAgent(tx: ReadTx, orgId: string, host: string): Promise<AgentRow | undefined> {
  const query = tx.from<Tables>().selectFrom('migration_agent').selectAll();
  const row = await query.where('org_id', '=', orgId).where('host', '=', host).executeTakeFirst();
  return row && readAgent(row);
}

export async function deleteAgent(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('migration_agent').where('id', '=', id).execute();
}

export async function putAgent(tx: Tx, row: AgentRow): Promise<void> {
  const { id, orgId, host, ...rest } = row;
  const columns = {
    address: rest.address,
    projects: projects.write(rest.projects),
    heard: codec.int64.write(rest.heard),
  };
  await tx
    .from<Tables>()
    .insertInto('migration_agent')
    .values({ id, org_id: orgId, host, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}
