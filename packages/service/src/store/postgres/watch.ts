import type pg from 'pg';
import type { Host } from './location.ts';
import { openWritable, requireWritable } from './search.ts';

/**
 * If the server in use does not answer for this long and another server accepts writes, the pool switches to the other
 * server.
 */
const ANSWER_MS = 3_000;

/** A connection that checks repeatedly whether one server accepts writes. */
export class Watch {
  #client: pg.Client | undefined;
  #host: Host | undefined;
  #isClosed = false;

  async isWritable(host: Host): Promise<boolean> {
    if (host !== this.#host) this.#drop();
    try {
      if (this.#client === undefined) {
        this.#client = await openWritable(host, ANSWER_MS);
        this.#host = host;
        if (this.#isClosed) this.#drop();
      } else await requireWritable(this.#client);
      return true;
    } catch {
      this.#drop();
      return false;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#drop();
  }

  #drop(): void {
    // If a statement is running, this closes the connection at once.
    void this.#client?.end();
    this.#client = undefined;
  }
}
