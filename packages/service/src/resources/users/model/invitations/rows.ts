import { nextTurn } from '@portolan/foundation/next-turn';
import { type Selectable, sql } from 'kysely';
import { codec, type ReadTx, type Tx } from '../../../../store/index.ts';
import type { MemberGrants } from '../grants.ts';

interface Tables {
  invitation: {
    id: string;
    org_id: string;
    user_id: string;
    username: string;
    inviter: string;
    origin: string;
    document: string;
    created: number;
    expires: number;
  };
}

/** A person has at most one invitation to an organization. The invitation contains all grants in this organization. */
export interface InvitationRow extends MemberGrants {
  readonly id: string;
  readonly orgId: string;
  /** Id of the user. If the user does not exist yet, this id is reserved for the user. */
  readonly userId: string;
  readonly username: string;
  /** Who sent the invitation: a user name, public key or client id. */
  readonly inviter: string;
  /**
   * Where the invitation was created. If it was created from a project, it is deleted together with its last project
   * role.
   */
  readonly origin: 'org' | 'group';
  readonly created: Date;
  readonly expires: Date;
}

const document = codec.json<MemberGrants>();

function readInvitationRow(row: Selectable<Tables['invitation']>): InvitationRow {
  return {
    id: row.id,
    orgId: row.org_id,
    userId: row.user_id,
    username: row.username,
    inviter: row.inviter,
    origin: row.origin === 'org' ? 'org' : 'group',
    ...document.read(row.document),
    created: codec.date.read(row.created),
    expires: codec.date.read(row.expires),
  };
}

function writeInvitationRow(row: InvitationRow): Tables['invitation'] {
  const { id, username, inviter, origin, roles, assignments, teamIds } = row;
  return {
    ...{ id, username, inviter, origin },
    org_id: row.orgId,
    user_id: row.userId,
    document: document.write({ roles, assignments, teamIds }),
    created: codec.date.write(row.created),
    expires: codec.date.write(row.expires),
  };
}

export async function insertInvitation(tx: Tx, row: InvitationRow): Promise<void> {
  await tx.from<Tables>().insertInto('invitation').values(writeInvitationRow(row)).execute();
}

export async function updateInvitation(tx: Tx, row: InvitationRow): Promise<void> {
  const { id, ...columns } = writeInvitationRow(row);
  await tx.from<Tables>().updateTable('invitation').set(columns).where('id', '=', id).execute();
}

export async function deleteInvitation(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('invitation').where('id', '=', id).execute();
}

/** Deletes the expired invitations to an organization. */
export async function deleteExpiredInvitations(tx: Tx, orgId: string): Promise<void> {
  const invitations = tx.from<Tables>().deleteFrom('invitation').where('org_id', '=', orgId);
  await invitations.where('expires', '<=', codec.date.write(tx.now)).execute();
}

export async function findInvitation(tx: ReadTx, id: string): Promise<InvitationRow | undefined> {
  const row = await pending(tx).where('id', '=', id).executeTakeFirst();
  return row && readInvitationRow(row);
}

export async function findInvitationOf(
  tx: ReadTx,
  orgId: string,
  userId: string,
): Promise<InvitationRow | undefined> {
  const row = await pending(tx).where('org_id', '=', orgId).where('user_id', '=', userId).executeTakeFirst();
  return row && readInvitationRow(row);
}

/** Number of invitations per query. Each can have a thousand roles. */
const AT_ONCE = 20;

/** Returns the open invitations to an organization, oldest first. */
export async function invitationsTo(tx: ReadTx, orgId: string): Promise<InvitationRow[]> {
  const found: InvitationRow[] = [];
  for (let after = ''; ; await nextTurn()) {
    const next = pending(tx).where('org_id', '=', orgId).where('id', '>', after).orderBy('id').limit(AT_ONCE);
    const rows = await next.execute();
    for (const row of rows) found.push(readInvitationRow(row));
    if (rows.length < AT_ONCE) return found;
    after = rows.at(-1)?.id ?? '';
  }
}

/** Returns the user id in an open invitation for a user name, whether or not the account exists. */
export async function findInvitedUserId(tx: ReadTx, username: string): Promise<string | undefined> {
  const isNamed = sql<boolean>`lower(username) = ${username.toLowerCase()}`;
  const row = await pending(tx).where(isNamed).executeTakeFirst();
  return row?.user_id;
}

/** Returns the oldest open invitation for a user name. */
export async function invitationNamed(tx: ReadTx, username: string): Promise<InvitationRow | undefined> {
  const isNamed = sql<boolean>`lower(username) = ${username.toLowerCase()}`;
  const row = await pending(tx).where(isNamed).orderBy('id').executeTakeFirst();
  return row && readInvitationRow(row);
}

function pending(tx: ReadTx) {
  const invitations = tx.from<Tables>().selectFrom('invitation').selectAll();
  return invitations.where('expires', '>', codec.date.write(tx.now));
}
