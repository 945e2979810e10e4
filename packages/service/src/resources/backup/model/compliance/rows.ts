import type { Selectable } from 'kysely';
import { codec, type ReadTx, type Tx } from '../../../../store/index.ts';
import type { PolicyItem } from '../schedules/policy.ts';

interface Tables {
  backup_compliance: { group_id: string; state: string; document: string };
}

export type ComplianceState = 'ENABLING' | 'ACTIVE' | 'UPDATING' | 'DISABLING';

/** A policy's minimum retention of on-demand snapshots. */
export interface OnDemandItem extends Omit<PolicyItem, 'frequencyType'> {
  readonly frequencyType: 'ondemand';
}

/** The minimum requirements for the backups of a project. */
export interface CompliancePolicy {
  readonly email: string;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly copyProtection: boolean;
  readonly encryption: boolean;
  readonly pit: boolean;
  /** The restore window in days; 0 if the policy requires none. */
  readonly windowDays: number;
  readonly onDemand: OnDemandItem | null;
  readonly scheduled: readonly PolicyItem[];
  /** Whether an operator has approved disabling the policy. */
  readonly deletable: boolean;
  /** The time of the last update in ISO 8601. */
  readonly updated: string;
  readonly updatedBy: string;
  /** Whether applying the policy overwrites weaker schedules. */
  readonly overwrites: boolean;
}

export interface ComplianceRow {
  readonly groupId: string;
  readonly state: ComplianceState;
  readonly policy: CompliancePolicy;
}

const document = codec.json<CompliancePolicy>();

function readRow(row: Selectable<Tables['backup_compliance']>): ComplianceRow {
  return {
    groupId: row.group_id,
    state: row.state as ComplianceState,
    policy: document.read(row.document),
  };
}

/** Inserts or replaces the row. */
export async function putCompliance(tx: Tx, { groupId, state, policy }: ComplianceRow): Promise<void> {
  const columns = { state, document: document.write(policy) };
  await tx
    .from<Tables>()
    .insertInto('backup_compliance')
    .values({ group_id: groupId, ...columns })
    .onConflict((conflict) => conflict.column('group_id').doUpdateSet(columns))
    .execute();
}

export async function deleteCompliance(tx: Tx, groupId: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('backup_compliance').where('group_id', '=', groupId).execute();
}

export async function complianceOf(tx: ReadTx, groupId: string): Promise<ComplianceRow | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_compliance').selectAll();
  const row = await query.where('group_id', '=', groupId).executeTakeFirst();
  return row && readRow(row);
}
