import type { RawDocument } from '../../../bson/raw.ts';
import { MAX_DOCUMENT_SIZE } from '../../../bson/validate.ts';
import type { Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Pipeline } from '../../../language/pipeline/index.ts';
import type { Oplog } from '../../../storage/oplog/oplog.ts';
import type { Results } from '../../context/cursors.ts';
import { type ChangeEvent, eventsOf, type Pending } from './event.ts';
import { checkHistory } from './options.ts';
import { MOST_EVENT_BYTES, splitEvent } from './split.ts';
import { encodeToken, isBefore, type Token } from './token.ts';
import { mayConcern, type Watched } from './watched.ts';

/** An answer comes after so many entries, even if none of them is told: some 50 ms. */
const MOST_ENTRIES = 20_000;

/** A document to answer, and where the stream stands behind it. */
interface Piece {
  readonly token: Token;
  readonly id: RawDocument;
  readonly document: RawDocument;
}

/** The changes of what is watched as they come. It ends when that goes. */
export class ChangeStream implements Results {
  readonly #oplog: Oplog;
  readonly #watched: Watched;
  readonly #pipeline: Pipeline;
  readonly #splits: boolean;
  #at: Token;
  /** The id of the event that was told last, while nothing else has been seen behind it. */
  #toldId: RawDocument | undefined;
  #ended = false;
  #behind = false;

  /** `pipeline` takes one event and gives one or none; `splits`: events that are too large come in pieces. */
  constructor(oplog: Oplog, watched: Watched, pipeline: Pipeline, start: Token, splits: boolean) {
    this.#oplog = oplog;
    this.#watched = watched;
    this.#pipeline = pipeline;
    this.#at = start;
    this.#splits = splits;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get behind(): boolean {
    return this.#behind;
  }

  get resumeToken(): RawDocument {
    return this.#toldId ?? encodeToken({ position: this.#at.position });
  }

  /** Cheap: called for each commit of the cluster while somebody waits. */
  get changed(): boolean {
    return this.#mayTell(this.#at.position + (this.#at.event === undefined ? 0 : 1));
  }

  /** Whether there may be events from a position on; what cannot be one is passed. */
  #mayTell(from: number): boolean {
    const { recent, last } = this.#oplog;
    if (recent.some(from, (trace) => mayConcern(this.#watched, trace))) return true;
    if (last >= from) this.#pass(last);
    return false;
  }

  /** Where the stream begins has to be an event that it would tell, or no event at all. */
  checkStart(): void {
    const { position, event } = this.#at;
    if (event === undefined) return;
    const entry = this.#oplog.entryAt(position);
    const events = entry === undefined ? [] : eventsOf(entry, position, this.#watched, this.#oplog);
    for (const { token } of events) {
      if (token.event?.step === event.step && token.event.invalidate === event.invalidate) return;
    }
    throw fatal(`cannot resume stream; the resume token was not found. ${JSON.stringify(event)}`);
  }

  take(limit: number): RawDocument[] {
    const batch: RawDocument[] = [];
    this.#behind = false;
    if (limit === 0 || this.#ended) return batch;
    checkHistory(this.#oplog, this.#at);
    // Reading entries costs 10 µs each, and a stream of a quiet collection has those of all others before it.
    if (!this.#mayTell(this.#at.position)) return batch;
    let bytes = 0;
    for (const pending of this.#pending()) {
      const pieces = this.#shape(pending);
      if (pieces.length === 0) this.#toldId = undefined;
      for (const piece of pieces) {
        const size = piece.document.length;
        if (batch.length > 0 && bytes + size > MAX_DOCUMENT_SIZE) return batch;
        batch.push(piece.document);
        bytes += size;
        this.#at = piece.token;
        this.#toldId = piece.id;
        if (batch.length >= limit && !pending.ends) return batch;
      }
      this.#ended = pending.ends;
      if (this.#ended) return batch;
      if (isBefore(this.#at, pending.token)) this.#at = pending.token;
    }
    return batch;
  }

  /** Events that have not been told. */
  *#pending(): Generator<Pending, undefined, undefined> {
    const entries = this.#oplog.scanFrom(this.#at.position);
    let seen = 0;
    for (let entry = entries.next(); entry !== undefined; entry = entries.next()) {
      for (const event of eventsOf(entry.doc, entry.rid, this.#watched, this.#oplog)) {
        if (isBefore(this.#at, event.token)) yield event;
      }
      // Of an event that was told last the id stays: it says more than a mark.
      if (this.#at.position < entry.rid || this.#toldId === undefined) this.#pass(entry.rid);
      if (++seen >= MOST_ENTRIES) {
        this.#behind = true;
        return undefined;
      }
    }
    return undefined;
  }

  #pass(position: number): void {
    this.#at = { position: position + 1 };
    this.#toldId = undefined;
  }

  #shape({ token, tell }: Pending): Piece[] {
    const event = tell();
    const shaped = [...this.#pipeline.run([event.document])];
    return shaped.flatMap((document) => this.#pieces(document, event, token));
  }

  #pieces(document: RawDocument, event: ChangeEvent, token: Token): Piece[] {
    const id = idOf(event.document);
    checkId(document, id);
    if (document.length <= MOST_EVENT_BYTES || !this.#splits) return [{ token, id, document }];
    const place = token.event ?? { step: 0, invalidate: false };
    const tokens: Token[] = [];
    const pieces = splitEvent(document, (fragment) => {
      tokens[fragment] = { position: token.position, event: { ...place, fragment } };
      return encodeToken(tokens[fragment], event.identity);
    });
    return pieces
      .map((piece, i) => ({ token: tokens[i] as Token, id: idOf(piece), document: piece }))
      .filter((piece) => isBefore(this.#at, piece.token));
  }
}

function idOf(document: RawDocument): RawDocument {
  return document.document('_id') as RawDocument;
}

/** Without its token an event could not be resumed behind. */
function checkId(document: RawDocument, id: RawDocument): void {
  const found: Value | undefined = document.get('_id');
  if (found?.identical(id.toValue())) return;
  throw fatal(
    'Encountered an event whose _id field, which contains the resume token, was modified by the pipeline. ' +
      'Modifying the _id field of an event makes it impossible to resume the stream from that point. Only ' +
      'transformations that retain the unmodified _id field are allowed. ' +
      `Expected: { _id: ${JSON.stringify(id.toObject())} } but found: ${JSON.stringify(document.toObject()._id)}`,
  );
}

function fatal(message: string): ServerError {
  return new ServerError('ChangeStreamFatalError', message, {
    errorLabels: ['NonResumableChangeStreamError'],
  });
}
