import { codec, type ReadTx, type Tx } from '../../store/index.ts';

interface Tables {
  provider_access_usage: { role_id: string; feature_type: string; feature_id: string };
}

/** A use of a role by a feature. A role in use cannot be deleted. */
export interface RoleUsage {
  readonly featureType: 'ENCRYPTION_AT_REST' | 'EXPORT_SNAPSHOT' | 'PUSH_BASED_LOG_EXPORT';
  /** Names and ids of what uses the role, such as an export bucket. */
  readonly featureId: Readonly<Record<string, string>>;
}

const featureId = codec.json<RoleUsage['featureId']>();

const columnsOf = (roleId: string, usage: RoleUsage) => ({
  role_id: roleId,
  feature_type: usage.featureType,
  // Sort the fields: the text is part of the primary key, so equal usages need equal texts.
  feature_id: featureId.write(Object.fromEntries(Object.entries(usage.featureId).sort())),
});

/** Returns the usages by role id. Roles that are not in use are absent. */
export async function usagesOf(
  tx: ReadTx,
  roleIds: readonly string[],
): Promise<ReadonlyMap<string, readonly RoleUsage[]>> {
  const found = new Map<string, RoleUsage[]>();
  if (roleIds.length === 0) return found;
  const query = tx.from<Tables>().selectFrom('provider_access_usage').selectAll();
  const ordered = query.where('role_id', 'in', roleIds).orderBy('feature_type').orderBy('feature_id');
  for (const row of await ordered.execute()) {
    const featureType = row.feature_type as RoleUsage['featureType'];
    const usage = { featureType, featureId: featureId.read(row.feature_id) };
    found.set(row.role_id, [...(found.get(row.role_id) ?? []), usage]);
  }
  return found;
}

export async function insertUsage(tx: Tx, roleId: string, usage: RoleUsage): Promise<void> {
  const columns = columnsOf(roleId, usage);
  await tx
    .from<Tables>()
    .insertInto('provider_access_usage')
    .values(columns)
    .onConflict((conflict) => conflict.columns(['role_id', 'feature_type', 'feature_id']).doNothing())
    .execute();
}

export async function deleteUsage(tx: Tx, roleId: string, usage: RoleUsage): Promise<void> {
  const { feature_type, feature_id } = columnsOf(roleId, usage);
  await tx
    .from<Tables>()
    .deleteFrom('provider_access_usage')
    .where('role_id', '=', roleId)
    .where('feature_type', '=', feature_type)
    .where('feature_id', '=', feature_id)
    .execute();
}
