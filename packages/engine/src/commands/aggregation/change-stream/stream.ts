import { relaxedJson, relaxedJsonOf } from '../../../bson/extended-json.ts';
import type { RawDocument } from '../../../bson/raw.ts';
import { isSpent } from '../../../bson/turns.ts';
import { MAX_DOCUMENT_SIZE, MAX_INTERNAL_SIZE, tooLarge } from '../../../bson/validate.ts';
import { string, textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Pipeline } from '../../../language/pipeline/index.ts';
import type { Oplog } from '../../../storage/oplog/oplog.ts';
import type { RecentEntry } from '../../../storage/oplog/recent.ts';
import type { Results } from '../../context/cursors.ts';
import { type ChangeEvent, eventsOf, type PendingEvent } from './event.ts';
import { checkHistory } from './options.ts';
import type { Selection } from './selection.ts';
import { MAX_EVENT_BYTES, splitEvent } from './split.ts';
import { encodeToken, isBefore, type Token } from './token.ts';
import { mayConcern, namespaceOf, type Watched, watchesViews } from './watched.ts';

/**
 * Maximum number of oplog entries that one batch scans, in about 50 ms. After that, the batch is returned even if it
 * is empty.
 */
const MAX_ENTRIES = 20_000;

/** A document to return, and the token after it. */
interface Piece {
  readonly token: Token;
  readonly id: RawDocument;
  readonly document: RawDocument;
}

/** What a stream does with its events. */
export interface Shaping {
  /** Maps an event to at most one event. */
  readonly pipeline: Pipeline;
  readonly selects: Selection;
  /** True if oversized events are split. */
  readonly splits: boolean;
}

/**
 * A change stream, which returns the events of its target as they are committed. It ends when the target is dropped or
 * renamed.
 */
export class ChangeStream implements Results {
  readonly #oplog: Oplog;
  readonly #watched: Watched;
  readonly #pipeline: Pipeline;
  readonly #selects: Selection;
  readonly #splits: boolean;
  #at: Token;
  /**
   * The resume token with which the stream was opened, until it has been checked. Undefined if the stream does not
   * start after an event.
   */
  #unchecked: Token | undefined;
  /** The id of the last returned event. Undefined after the stream has read a later oplog entry. */
  #lastEventId: RawDocument | undefined;
  #ended = false;
  #moreToScan = false;

  constructor(oplog: Oplog, watched: Watched, { pipeline, selects, splits }: Shaping, start: Token) {
    this.#oplog = oplog;
    this.#watched = watched;
    this.#pipeline = pipeline;
    this.#selects = selects;
    this.#at = start;
    this.#unchecked = start.event && start;
    this.#splits = splits;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get moreToScan(): boolean {
    return this.#moreToScan;
  }

  get resumeToken(): RawDocument {
    return this.#lastEventId ?? encodeToken({ position: this.#at.position });
  }

  /** False if the stream has no new event. While a reader waits, this runs after each commit, so it must be fast. */
  get changed(): boolean {
    return this.#mayHaveEvents(this.#at.position + (this.#at.event === undefined ? 0 : 1));
  }

  /**
   * True if the oplog may contain events at or after a position. If it contains none, moves the stream to the
   * current end of the oplog.
   */
  #mayHaveEvents(from: number): boolean {
    const { recent, last } = this.#oplog;
    if (recent.mayHave(from, (trace) => this.#mayReturn(trace))) return true;
    if (last >= from) this.#pass(last);
    return false;
  }

  /** True if the stream may return an event for the entry. */
  #mayReturn(trace: Pick<RecentEntry, 'op' | 'database' | 'collection'>): boolean {
    if (!mayConcern(this.#watched, trace)) return false;
    // The first event of the target must be found to check the resume token.
    if (this.#unchecked !== undefined || this.#selects(trace)) return true;
    return watchesViews(this.#watched, trace.database, trace.collection ?? '');
  }

  /**
   * Throws unless the resume token identifies an event of this stream. Like the server, the engine checks the
   * token only when the next event is about to be returned.
   */
  #checkStart(): void {
    const { position, event } = this.#unchecked ?? {};
    if (position === undefined || event === undefined) return;
    this.#unchecked = undefined;
    const entry = this.#oplog.entryAt(position);
    const events = entry === undefined ? [] : eventsOf(entry, position, this.#watched, this.#oplog);
    for (const { token } of events) {
      if (token.event?.step === event.step && token.event.invalidate === event.invalidate) return;
    }
    throw fatal(`cannot resume stream; the resume token was not found. ${JSON.stringify(event)}`);
  }

  take(limit: number): RawDocument[] {
    const batch: RawDocument[] = [];
    this.#moreToScan = false;
    if (limit === 0 || this.#ended) return batch;
    checkHistory(this.#oplog, this.#at);
    // Avoid reading entries of other collections. Reading an entry takes 10 µs, and a stream without events would read
    // all entries of the cluster.
    if (!this.#mayHaveEvents(this.#at.position)) return batch;
    let bytes = 0;
    for (const pending of this.#pending()) {
      this.#checkStart();
      const pieces = this.#shape(pending);
      if (pieces.length === 0) this.#lastEventId = undefined;
      for (const piece of pieces) {
        const size = piece.document.length;
        if (batch.length > 0 && bytes + size > MAX_DOCUMENT_SIZE) return batch;
        batch.push(piece.document);
        bytes += size;
        this.#at = piece.token;
        this.#lastEventId = piece.id;
        if (batch.length >= limit && !pending.ends) return batch;
      }
      this.#ended = pending.ends;
      if (this.#ended) return batch;
      if (isBefore(this.#at, pending.token)) this.#at = pending.token;
      // End the batch if other statements wait. The pipeline may have taken long, even if it does not return the event.
      this.#moreToScan = isSpent();
      if (this.#moreToScan) return batch;
    }
    return batch;
  }

  /** Yields the events after the current token. */
  *#pending(): Generator<PendingEvent, undefined, undefined> {
    const { recent, last: newest } = this.#oplog;
    const span = recent.spanFrom(this.#at.position, (trace) => this.#mayReturn(trace));
    if (span === undefined) return undefined;
    const entries = this.#oplog.scanBetween(span.first, span.last, (namespace) =>
      this.#skips('i', namespace),
    );
    let seen = 0;
    for (let entry = entries.next(); entry !== undefined; entry = entries.next()) {
      if (!this.#skipsEntry(entry.doc)) {
        for (const event of eventsOf(entry.doc, entry.rid, this.#watched, this.#oplog)) {
          if (isBefore(this.#at, event.token)) yield event;
        }
      }
      // Keep the id of the last event as the resume token if possible, because it is more precise than a
      // high-water mark.
      if (this.#at.position < entry.rid || this.#lastEventId === undefined) this.#pass(entry.rid);
      if (++seen >= MAX_ENTRIES) {
        this.#moreToScan = true;
        return undefined;
      }
    }
    // The entries after the span concern other collections.
    if (newest > span.last) this.#pass(newest);
    return undefined;
  }

  #skipsEntry(entry: RawDocument): boolean {
    if (entry.isEmpty) return true;
    const op = textOf(entry.get('op') ?? string(''));
    return (op === 'i' || op === 'u' || op === 'd') && this.#skips(op, textOf(entry.get('ns') ?? string('')));
  }

  #skips(op: RecentEntry['op'], namespace: string): boolean {
    const { db: database, coll: collection } = namespaceOf(namespace);
    return !this.#mayReturn({ op, database, collection });
  }

  #pass(position: number): void {
    this.#at = { position: position + 1 };
    this.#lastEventId = undefined;
  }

  #shape({ token, build }: PendingEvent): Piece[] {
    const event = build();
    const shaped = [...this.#pipeline.run([event.document])];
    return shaped.flatMap((document) => this.#pieces(document, event, token));
  }

  #pieces(document: RawDocument, event: ChangeEvent, token: Token): Piece[] {
    const id = idOf(event.document);
    checkId(document, id);
    if (!this.#splits && document.length > MAX_INTERNAL_SIZE) throw tooLarge(document.length);
    if (document.length <= MAX_EVENT_BYTES || !this.#splits) return [{ token, id, document }];
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

/**
 * Throws if the pipeline has changed the `_id` of an event. The stream could not be resumed without the
 * original `_id`.
 */
function checkId(document: RawDocument, id: RawDocument): void {
  const found: Value | undefined = document.get('_id');
  if (found?.identical(id.toValue())) return;
  throw fatal(
    'Encountered an event whose _id field, which contains the resume token, was modified by the pipeline. ' +
      'Modifying the _id field of an event makes it impossible to resume the stream from that point. Only ' +
      'transformations that retain the unmodified _id field are allowed. ' +
      `Expected: { _id: ${relaxedJson(id)} } but found: ${found === undefined ? 'nothing' : relaxedJsonOf(found)}`,
  );
}

function fatal(message: string): ServerError {
  return new ServerError('ChangeStreamFatalError', message, {
    errorLabels: ['NonResumableChangeStreamError'],
  });
}
