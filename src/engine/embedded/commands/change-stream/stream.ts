import type { Results } from '../../command.ts';
import type { Pipeline } from '../../language/pipeline/index.ts';
import type { RawDocument } from '../../language/raw.ts';
import { MAX_DOCUMENT_SIZE } from '../../language/validate.ts';
import type { Oplog } from '../../storage/oplog/oplog.ts';
import { eventsOf, type Watched } from './event.ts';
import { checkHistory } from './options.ts';
import { encodeToken, isBehind, type Token, told } from './token.ts';

/** The changes of a collection as they come. It ends when the collection goes. */
export class ChangeStream implements Results {
  readonly #oplog: Oplog;
  readonly #watched: Watched;
  readonly #pipeline: Pipeline;
  #at: Token;
  #ended = false;

  /** `pipeline` takes one event and gives one or none. */
  constructor(oplog: Oplog, watched: Watched, pipeline: Pipeline, start: Token) {
    this.#oplog = oplog;
    this.#watched = watched;
    this.#pipeline = pipeline;
    this.#at = start;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get resumeToken(): RawDocument {
    return encodeToken(this.#at);
  }

  take(limit: number): RawDocument[] {
    const batch: RawDocument[] = [];
    if (limit === 0 || this.#ended) return batch;
    checkHistory(this.#oplog, this.#at);
    let bytes = 0;
    const entries = this.#oplog.scanFrom(this.#at.position);
    for (let entry = entries.next(); entry !== undefined; entry = entries.next()) {
      for (const event of eventsOf(entry.doc, entry.rid, this.#watched)) {
        const token = { position: entry.rid, told: event.told };
        if (!isBehind(token, this.#at)) continue;
        const shaped = [...this.#pipeline.run([event.document])];
        const size = shaped.reduce((sum, { length }) => sum + length, 0);
        if (batch.length > 0 && bytes + size > MAX_DOCUMENT_SIZE) return batch;
        batch.push(...shaped);
        bytes += size;
        this.#at = token;
        this.#ended = event.told === told.end;
        if (this.#ended || batch.length >= limit) return batch;
      }
      const passed = { position: entry.rid, told: told.all };
      if (isBehind(passed, this.#at)) this.#at = passed;
    }
    return batch;
  }
}
