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

/** What a project says of maintenance, and what is ahead of it. */
export interface Maintenance {
  readonly groupId: string;
  /** Absent where any time will do. */
  readonly window?: Window;
  /** Each one is put off by a week by itself. */
  readonly autoDefer: boolean;
  /** When the next one begins; absent while there is nothing to do. */
  readonly scheduled?: Date;
  /** How often it was put off. */
  readonly deferrals: number;
  /** Somebody does not wait for the window. */
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
