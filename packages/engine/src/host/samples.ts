import type { DeploymentDatabases, MemberSample, MemberSamples } from '../interface/engine.ts';
import type { Journal } from '../observe/journal.ts';
import { NEWEST } from '../observe/records.ts';
import type { RecordReader } from './record-reader.ts';

type Written = readonly Omit<MemberSamples, 'id'>[];

/** The newest samples of all members of a host, kept in memory. */
export class Samples {
  readonly #journals: () => ReadonlyMap<string, Journal>;
  readonly #reader: Pick<RecordReader, 'value'>;
  /** Samples that an earlier host has written. They are read for deployments of which this host has few samples. */
  readonly #earlier = new WeakMap<Journal, Promise<Written>>();

  constructor(journals: () => ReadonlyMap<string, Journal>, reader: Pick<RecordReader, 'value'>) {
    this.#journals = journals;
    this.#reader = reader;
  }

  /**
   * Returns the newest samples of these deployments. If `ids` is absent, returns the newest samples of all deployments.
   */
  async newest(ids?: readonly string[]): Promise<MemberSamples[]> {
    const journals = this.#journals();
    const wanted = ids ?? [...journals.keys()];
    const found = wanted.map(async (id) => {
      const journal = journals.get(id);
      return journal === undefined ? [] : this.#of(id, journal);
    });
    return (await Promise.all(found)).flat();
  }

  /** Returns the database sizes of these deployments at the last sample. */
  databases(ids: readonly string[]): DeploymentDatabases[] {
    const journals = this.#journals();
    return ids.flatMap((id) => {
      const databases = journals.get(id)?.databases;
      return databases === undefined ? [] : [{ id, databases }];
    });
  }

  async #of(id: string, journal: Journal): Promise<MemberSamples[]> {
    const taken = journal.newest();
    const enough = taken.size > 0 && [...taken.values()].every((samples) => samples.length === NEWEST);
    const written = enough ? [] : await this.#writtenBefore(journal);
    return journal.memberIds().map((memberId) => {
      const before = written.find((entry) => entry.memberId === memberId)?.samples ?? [];
      return { id, memberId, samples: newestOf(before, taken.get(memberId) ?? []) };
    });
  }

  /**
   * Returns the samples that earlier hosts have written. They are read only once, because later samples are in memory.
   */
  #writtenBefore(journal: Journal): Promise<Written> {
    let written = this.#earlier.get(journal);
    if (written === undefined) {
      const { folder } = journal;
      written = this.#reader
        .value('newestWritten', { folder, now: 0 }, [])
        .then((text): Written => JSON.parse(text))
        .catch(() => []);
      this.#earlier.set(journal, written);
    }
    return written;
  }
}

/** Merges two lists of samples. Some samples may be in both lists. */
function newestOf(before: readonly MemberSample[], taken: readonly MemberSample[]): MemberSample[] {
  const others = before.filter((one) => !taken.some((sample) => sample.taken === one.taken));
  return [...others, ...taken].slice(-NEWEST);
}
