import type { FoundMember, FoundServers, MemberSample } from '@portolan/engine/interface/engine';
import type { MachineClock, ServiceClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { errorMessage } from '@portolan/foundation/thrown';
import type { MongoClient } from 'mongodb';
import { ask } from './connection.ts';
import type { Health } from './health.ts';
import { oplogOf, type Sizes, SizesReader, sampleOf, sumOfSizes, type Whole } from './samples.ts';

/** The number of samples in an hour. */
const SAMPLES = 360;

interface Parts {
  readonly clock: ServiceClock;
  readonly machine: MachineClock;
  readonly log: Log;
}

/** What a sample is taken from. */
interface Sampled {
  readonly client: MongoClient;
  readonly found: FoundServers | undefined;
  readonly health: Health | undefined;
  /** Returns a client of a member. */
  member(member: FoundMember): Promise<MongoClient>;
}

/** The samples of the members of a deployment in the last hour. */
export class Sampling {
  readonly #id: string;
  readonly #parts: Parts;
  readonly #sizes: SizesReader;
  readonly #samples = new Map<string, MemberSample[]>();

  constructor(id: string, parts: Parts) {
    this.#id = id;
    this.#parts = parts;
    this.#sizes = new SizesReader(parts.machine);
  }

  get databases(): Sizes['databases'] {
    return this.#sizes.read?.databases ?? {};
  }

  of(memberId: string): readonly MemberSample[] {
    return this.#samples.get(memberId) ?? [];
  }

  async readSizes(client: MongoClient): Promise<void> {
    await this.#sizes.refresh(client);
  }

  /** Samples the members that respond. Forgets the samples of servers that are no longer members. */
  async take({ client, found, health, member }: Sampled): Promise<void> {
    const { members = [], facts = [], topology, machine } = found ?? {};
    const ids = new Set(members.map(({ id }) => id));
    for (const id of this.#samples.keys()) if (!ids.has(id)) this.#samples.delete(id);
    if (!facts.includes('statistics')) return;
    const { databases, disk } = this.#sizes.read ?? (await this.#sizes.refresh(client));
    const oplog = topology === 'REPLICA_SET' ? await oplogOf(client) : undefined;
    const whole = { sizes: sumOfSizes(databases), disk, machine, ...(oplog && { oplog }) };
    const down = new Set(health?.down);
    const up = members.filter(({ id }) => !down.has(id));
    await Promise.all(up.map((one) => this.#takeOne(one, member, { whole, health })));
  }

  async #takeOne(
    found: FoundMember,
    member: Sampled['member'],
    { whole, health }: { readonly whole: Whole; readonly health: Health | undefined },
  ): Promise<void> {
    const { clock, machine, log } = this.#parts;
    const { id } = found;
    try {
      const status = await ask(await member(found), { serverStatus: 1 });
      const moment = { time: clock.now().getTime(), taken: machine.now(), lag: health?.lags.get(id) };
      this.#samples.set(id, [...this.of(id), sampleOf(status, moment, whole)].slice(-SAMPLES));
    } catch (error) {
      log.debug(
        { deployment: this.#id, member: id, reason: errorMessage(error) },
        'the metrics of a member could not be read',
      );
    }
  }
}
