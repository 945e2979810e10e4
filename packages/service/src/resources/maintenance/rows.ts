import { codec, type ReadTx, type Tx } from '../../store/index.ts';
import type { Window } from './window.ts';

interface Tables {
  maintenance: {
    group_id: string;
    window_of: string | null;
    auto_defer: number;
    scheduled: number | null;
    deferrals: number;
    start_asap: number;
    started: number;
  };
}

/** The maintenance settings of a project, and its next maintenance. */
export interface Maintenance {
  readonly groupId: string;
  /** The maintenance window; absent if maintenance may start at any time. */
  readonly window?: Window;
  /** Whether each maintenance is automatically deferred by a week. */
  readonly autoDefer: boolean;
  /** Start of the next maintenance; absent if none is due. */
  readonly scheduled?: Date;
  /** How often the next maintenance has been deferred. */
  readonly deferrals: number;
  /** Whether the maintenance starts at once, without waiting for the window. */
  readonly startAsap: boolean;
  readonly started: boolean;
}

const window = codec.json<Window>();

export async function maintenanceOf(tx: ReadTx, groupId: string): Promise<Maintenance> {
  const query = tx.from<Tables>().selectFrom('maintenance').selectAll().where('group_id', '=', groupId);
  const row = await query.executeTakeFirst();
  if (row === undefined) {
    return { groupId, autoDefer: false, deferrals: 0, startAsap: false, started: false };
  }
  const scheduled = codec.optionalDate.read(row.scheduled);
  return {
    groupId,
    ...(row.window_of === null ? {} : { window: window.read(row.window_of) }),
    autoDefer: codec.boolean.read(row.auto_defer),
    ...(scheduled === undefined ? {} : { scheduled }),
    deferrals: row.deferrals,
    startAsap: codec.boolean.read(row.start_asap),
    started: codec.boolean.read(row.started),
  };
}

export async function saveMaintenance(tx: Tx, one: Maintenance): Promise<void> {
  const columns = {
    window_of: one.window === undefined ? null : window.write(one.window),
    auto_defer: codec.boolean.write(one.autoDefer),
    scheduled: codec.optionalDate.write(one.scheduled),
    deferrals: one.deferrals,
    start_asap: codec.boolean.write(one.startAsap),
    started: codec.boolean.write(one.started),
  };
  const insert = tx
    .from<Tables>()
    .insertInto('maintenance')
    .values({ group_id: one.groupId, ...columns });
  await insert.onConflict((of) => of.column('group_id').doUpdateSet(columns)).execute();
}
