import { codec, type ReadTx, type Tx } from '../../store/index.ts';
import type { PeerSettings, Provider } from './schema.ts';

interface Tables {
  network_peer: { id: string; group_id: string; container_id: string; provider: string; settings: string };
}

export interface PeerRow {
  readonly id: string;
  readonly groupId: string;
  readonly containerId: string;
  readonly provider: Provider;
  readonly settings: PeerSettings;
}

const settingsCodec = codec.json<PeerSettings>();

function readRow({ group_id, container_id, provider, settings, id }: Tables['network_peer']): PeerRow {
  return {
    id,
    groupId: group_id,
    containerId: container_id,
    provider: provider as Provider,
    settings: settingsCodec.read(settings),
  };
}

/** Returns the peering connections of a project, oldest first. */
export async function peersOf(tx: ReadTx, groupId: string): Promise<PeerRow[]> {
  const query = tx.from<Tables>().selectFrom('network_peer').selectAll().where('group_id', '=', groupId);
  return (await query.orderBy('id').execute()).map(readRow);
}

export async function insertPeer(tx: Tx, row: PeerRow): Promise<void> {
  const { id, provider } = row;
  const columns = { id, provider, group_id: row.groupId, container_id: row.containerId };
  const settings = settingsCodec.write(row.settings);
  await tx
    .from<Tables>()
    .insertInto('network_peer')
    .values({ ...columns, settings })
    .execute();
}

export async function updatePeer(tx: Tx, { id, settings }: PeerRow): Promise<void> {
  const columns = { settings: settingsCodec.write(settings) };
  await tx.from<Tables>().updateTable('network_peer').set(columns).where('id', '=', id).execute();
}

export async function deletePeer(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('network_peer').where('id', '=', id).execute();
}
