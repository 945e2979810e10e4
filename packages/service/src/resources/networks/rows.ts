import { codec, type ReadTx, type Tx } from '../../store/index.ts';

interface Tables {
  network_container: { id: string; group_id: string; provider: string; region: string; cidr: string };
  private_ip_mode: { group_id: string; enabled: number };
  aws_custom_dns: { group_id: string; enabled: number };
}

export interface ContainerRow {
  readonly id: string;
  readonly groupId: string;
  readonly provider: 'AWS' | 'AZURE' | 'GCP';
  /** Empty if one network spans all regions. */
  readonly region: string;
  readonly cidr: string;
}

/** The networks of a project, oldest first. */
export async function containersOf(tx: ReadTx, groupId: string): Promise<ContainerRow[]> {
  const query = tx.from<Tables>().selectFrom('network_container').selectAll().where('group_id', '=', groupId);
  return (await query.orderBy('id').execute()).map(readRow);
}

export async function findContainer(
  tx: ReadTx,
  groupId: string,
  id: string,
): Promise<ContainerRow | undefined> {
  const query = tx.from<Tables>().selectFrom('network_container').selectAll().where('id', '=', id);
  const row = await query.where('group_id', '=', groupId).executeTakeFirst();
  return row && readRow(row);
}

function readRow({ id, group_id, provider, region, cidr }: Tables['network_container']): ContainerRow {
  return { id, groupId: group_id, provider: provider as ContainerRow['provider'], region, cidr };
}

export async function insertContainer(tx: Tx, { groupId, ...row }: ContainerRow): Promise<void> {
  await tx
    .from<Tables>()
    .insertInto('network_container')
    .values({ ...row, group_id: groupId })
    .execute();
}

/** Tables of boolean settings of a project. */
type Switch = 'private_ip_mode' | 'aws_custom_dns';

async function isOn(tx: ReadTx, table: Switch, groupId: string): Promise<boolean> {
  const row = await tx
    .from<Tables>()
    .selectFrom(table)
    .select('enabled')
    .where('group_id', '=', groupId)
    .executeTakeFirst();
  return row !== undefined && codec.boolean.read(row.enabled);
}

async function saveSwitch(tx: Tx, table: Switch, groupId: string, on: boolean): Promise<void> {
  const enabled = codec.boolean.write(on);
  const insert = tx.from<Tables>().insertInto(table).values({ group_id: groupId, enabled });
  await insert.onConflict((of) => of.column('group_id').doUpdateSet({ enabled })).execute();
}

/** Whether clusters are reachable over peered networks only. */
export const privateIpMode = (tx: ReadTx, groupId: string) => isOn(tx, 'private_ip_mode', groupId);

export const savePrivateIpMode = (tx: Tx, groupId: string, on: boolean) =>
  saveSwitch(tx, 'private_ip_mode', groupId, on);

/** Whether clusters at AWS have names for custom DNS servers. */
export const customDns = (tx: ReadTx, groupId: string) => isOn(tx, 'aws_custom_dns', groupId);

export const saveCustomDns = (tx: Tx, groupId: string, on: boolean) =>
  saveSwitch(tx, 'aws_custom_dns', groupId, on);
