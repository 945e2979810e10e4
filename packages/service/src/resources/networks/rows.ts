import { codec, type ReadTx, type Tx } from '../../store/index.ts';

interface Tables {
  network_container: {
    id: string;
    group_id: string;
    provider: string;
    region: string;
    cidr: string;
    regions: string | null;
  };
  private_ip_mode: { group_id: string; enabled: number };
  aws_custom_dns: { group_id: string; enabled: number };
}

export interface ContainerRow {
  readonly id: string;
  readonly groupId: string;
  readonly provider: 'AWS' | 'AZURE' | 'GCP';
  /** The region of the network; empty if it spans all regions. */
  readonly region: string;
  readonly cidr: string;
  /** At GCP, the only regions in which clusters can be created; absent if there is no such limit. */
  readonly regions?: readonly string[] | undefined;
}

const regionNames = codec.json<readonly string[]>();

/** Returns the networks of a project, oldest first. */
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

function readRow({ group_id, regions, ...row }: Tables['network_container']): ContainerRow {
  return {
    id: row.id,
    groupId: group_id,
    provider: row.provider as ContainerRow['provider'],
    region: row.region,
    cidr: row.cidr,
    ...(regions !== null && { regions: regionNames.read(regions) }),
  };
}

function writeRow({ groupId, regions, ...row }: ContainerRow): Tables['network_container'] {
  return { ...row, group_id: groupId, regions: regions ? regionNames.write(regions) : null };
}

export async function insertContainer(tx: Tx, row: ContainerRow): Promise<void> {
  await tx.from<Tables>().insertInto('network_container').values(writeRow(row)).execute();
}

export async function updateContainer(tx: Tx, row: ContainerRow): Promise<void> {
  const { id, ...columns } = writeRow(row);
  await tx.from<Tables>().updateTable('network_container').set(columns).where('id', '=', id).execute();
}

export async function deleteContainer(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('network_container').where('id', '=', id).execute();
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

/** Whether private IP mode is enabled, which limits the names of new clusters. */
export const privateIpMode = (tx: ReadTx, groupId: string) => isOn(tx, 'private_ip_mode', groupId);

export const savePrivateIpMode = (tx: Tx, groupId: string, on: boolean) =>
  saveSwitch(tx, 'private_ip_mode', groupId, on);

/** Whether clusters at AWS have names for custom DNS servers. */
export const customDns = (tx: ReadTx, groupId: string) => isOn(tx, 'aws_custom_dns', groupId);

export const saveCustomDns = (tx: Tx, groupId: string, on: boolean) =>
  saveSwitch(tx, 'aws_custom_dns', groupId, on);
