/** What a change stream has to know of an entry to pass it over. */
export interface Trace {
  readonly position: number;
  readonly database: string;
  /** Absent where the entry is about more than the documents of one collection. */
  readonly collection: string | undefined;
}

/** Entries that follow each other and are about the same. */
interface Run extends Omit<Trace, 'position'> {
  readonly first: number;
  /** Of the newest one. */
  position: number;
}

/** Some 100 bytes each; at 2,000 writes a second, each to another collection, those of the last two seconds at least. */
const KEPT = 8_192;

/** The traces of the newest entries, so that streams which wait need not read the file at every commit. */
export class Recent {
  #runs: Run[] = [];
  /** Entries behind this position have their traces here. */
  #from: number;

  constructor(last: number) {
    this.#from = last;
  }

  add({ position, database, collection }: Trace): void {
    const newest = this.#runs.at(-1);
    if (newest?.database === database && newest.collection === collection) {
      newest.position = position;
      return;
    }
    if (this.#runs.length >= KEPT) {
      const going = this.#runs.splice(0, KEPT / 2);
      this.#from = going.at(-1)?.position ?? this.#from;
    }
    this.#runs.push({ first: position, position, database, collection });
  }

  /** Entries behind that position have not been written after all. */
  undo(last: number): void {
    while ((this.#runs.at(-1)?.first ?? 0) > last) this.#runs.pop();
    const newest = this.#runs.at(-1);
    if (newest !== undefined) newest.position = Math.min(newest.position, last);
  }

  /** Whether there may be something from a position on. */
  some(position: number, wanted: (trace: Trace) => boolean): boolean {
    if (position <= this.#from) return true;
    for (let i = this.#runs.length - 1; i >= 0; i--) {
      const run = this.#runs[i] as Run;
      if (run.position < position) return false;
      if (wanted(run)) return true;
    }
    return false;
  }

  clear(): void {
    this.#from = this.#runs.at(-1)?.position ?? this.#from;
    this.#runs = [];
  }
}
