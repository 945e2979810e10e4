/** What a change stream has to know of an entry to pass it over. */
export interface Trace {
  readonly position: number;
  readonly database: string;
  /** Absent where the entry is about more than the documents of one collection. */
  readonly collection: string | undefined;
}

/** Some 100 bytes each; at 2,000 writes a second no fewer than those of the last two seconds. */
const KEPT = 8_192;

/** The traces of the newest entries, so that streams which wait need not read the file at every commit. */
export class Recent {
  #traces: Trace[] = [];
  /** Entries behind this position have their traces here. */
  #from: number;

  constructor(last: number) {
    this.#from = last;
  }

  add(trace: Trace): void {
    if (this.#traces.length >= KEPT) {
      const going = this.#traces.splice(0, KEPT / 2);
      this.#from = going.at(-1)?.position ?? this.#from;
    }
    this.#traces.push(trace);
  }

  /** Entries behind that position have not been written after all. */
  undo(last: number): void {
    while ((this.#traces.at(-1)?.position ?? 0) > last) this.#traces.pop();
  }

  /** Whether there may be something from a position on. */
  some(position: number, wanted: (trace: Trace) => boolean): boolean {
    if (position <= this.#from) return true;
    for (let i = this.#traces.length - 1; i >= 0; i--) {
      const trace = this.#traces[i] as Trace;
      if (trace.position < position) return false;
      if (wanted(trace)) return true;
    }
    return false;
  }

  clear(): void {
    this.#from = this.#traces.at(-1)?.position ?? this.#from;
    this.#traces = [];
  }
}
