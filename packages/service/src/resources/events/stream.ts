import { Readable } from 'node:stream';
import { wholeSeconds } from '../../api/dates.ts';
import { generalFaults } from '../../api/faults.ts';
import type { Call } from '../../api/operation.ts';
import {
  type EventBatch,
  type EventOwner,
  type EventRecord,
  findEvent,
  findInRanges,
  listEvents,
  type Position,
  parsePosition,
  positionText,
  rangesBetween,
  sizeOf,
} from '../../events/index.ts';
import type { ReadTx } from '../../store/index.ts';
import type { Services } from '../services.ts';
import { presentEvent } from './feeds.ts';

/** Interval between two comment lines of the stream. They keep proxies from closing a connection without events. */
const HEARTBEAT_MS = 15_000;
/**
 * Maximum duration of a stream. The caller then connects again, and the service checks the caller's credentials and
 * roles again.
 */
const LIFETIME_MS = 60_000;
/**
 * By how much streams end earlier. Streams that begin together end at different times, because hundreds of readers that
 * connect again at the same time would delay other requests for a second.
 */
const SPREAD_MS = 20_000;
/** Maximum number of missed events that are sent. A reader that has missed more events receives the event `reset`. */
const MAX_MISSED = 1000;
/** Maximum number of bytes that may wait for a slow reader. Above it, the service closes the connection. */
const MAX_WAITING = 128 * 1024;
/** Maximum number of streams of an organization and its projects at one instance. */
export const MAX_STREAMS = 1000;
/**
 * Maximum number of the organization's events after the position of a reader. If more events follow, the service does
 * not search them for events that the reader may read, and sends `reset`.
 */
const MAX_PASSED = 10_000;
/** Takes the place of the last event id while the organization has no events. */
const NO_EVENT = '0'.repeat(24);

interface Reader {
  readonly orgId: string;
  readonly owner: EventOwner;
  /** The value of the header `Last-Event-ID`. */
  readonly lastEventId: string | undefined;
  /** The session of the reader. The stream ends with it. */
  readonly session: Call['session'];
}

/** The open streams of this instance. They end when the instance stops. */
const open = new WeakMap<Services['eventHub'], Set<Readable>>();

/**
 * Streams events as server-sent events, as they are recorded. Begins with the events that follow the last event that
 * the reader has received.
 */
export async function streamEvents(services: Services, reader: Reader): Promise<Readable> {
  const { eventHub, store, machine } = services;
  if (eventHub.listenersOf(reader.orgId) >= MAX_STREAMS)
    throw generalFaults.SERVICE_UNAVAILABLE().with({ headers: { 'Retry-After': '60' } });
  const stream = new Readable({ read() {} });
  const early: EventBatch[] = [];
  let deliver = (batch: EventBatch): void => void early.push(batch);
  const from = lastPositionOf(reader)?.from;
  const { position, end } = await eventHub.listen(reader.orgId, (batch) => deliver(batch), from);
  stream.once('close', end);
  const writer = new FrameWriter(reader.owner, stream);
  try {
    writer.begin(await store.read((tx) => beginningOf(tx, reader, position)), position);
    for (const batch of early) writer.write(batch);
  } catch (error) {
    stream.destroy();
    throw error;
  }
  deliver = (batch) => writer.write(batch);
  endInTime(stream, machine, writer);
  const stopWatching = reader.session?.whenEnded(() => writer.finish());
  stream.once('close', () => stopWatching?.());
  keepOpen(eventHub, stream);
  return stream;
}

/** Ends all streams when the instance stops. */
export async function endStreams({ eventHub }: Services): Promise<void> {
  await eventHub.close();
  for (const stream of open.get(eventHub) ?? []) stream.push(null);
}

function keepOpen(hub: Services['eventHub'], stream: Readable): void {
  const streams = open.get(hub) ?? new Set();
  open.set(hub, streams.add(stream));
  stream.once('close', () => streams.delete(stream));
}

/**
 * Writes the frames of a stream. The id of a frame is the position after its events, from which the reader can resume.
 */
class FrameWriter {
  readonly #owner: EventOwner;
  readonly #stream: Readable;
  #position: Position = new Map();
  #lastEventId = NO_EVENT;
  #isEnded = false;

  constructor(owner: EventOwner, stream: Readable) {
    this.#owner = owner;
    this.#stream = stream;
  }

  /** Writes the events that the reader has missed. `position` is the position after these events. */
  begin({ newest, missed }: Beginning, position: Position): void {
    this.#position = position;
    this.#lastEventId = newest;
    const reset = missed === undefined ? 'event: reset\ndata: {}\n' : '';
    const frames = (missed ?? []).map((event) => `${frameOf(event)}\n`);
    // A frame without data only sets the last event id of the reader.
    this.#push(`retry: 1000\n\n${frames.join('')}${this.#id}${reset}\n`);
  }

  write({ events, position }: EventBatch): void {
    this.#position = position;
    this.#lastEventId = events.at(-1)?.id ?? this.#lastEventId;
    const frames = events.filter((event) => isFor(this.#owner, event)).map(frameOf);
    if (frames.length === 0) return;
    if (this.#stream.readableLength > MAX_WAITING) this.#stream.destroy(new Error('The reader is too slow'));
    // A reader that loses the connection between two events of a batch gets the whole batch again.
    else this.#push(`${frames.join('\n')}${this.#id}\n`);
  }

  /** Keeps the connection open. Also sends the current position, which includes events that the reader may not read. */
  beat(): void {
    this.#push(`:\n${this.#id}\n`);
  }

  /** Ends the stream after the frames that were written. */
  finish(): void {
    this.beat();
    this.#isEnded = true;
    this.#stream.push(null);
  }

  get #id(): string {
    return `id: ${this.#lastEventId}.${positionText(this.#position)}\n`;
  }

  #push(text: string): void {
    if (!this.#isEnded && !this.#stream.readableEnded && !this.#stream.destroyed) this.#stream.push(text);
  }
}

/** The fractional part of the golden ratio. Its multiples are evenly distributed between two integers. */
const GOLDEN = 0.618_033_988_749_895;
/** Number of streams that this process has begun. */
let begun = 0;

function endInTime(stream: Readable, machine: Services['machine'], writer: FrameWriter): void {
  const share = (begun++ * GOLDEN) % 1;
  let cancel = machine.after(HEARTBEAT_MS * (1 - share), beat);
  let cancelEnd = machine.after(LIFETIME_MS - SPREAD_MS * share, end);
  function end(): void {
    writer.finish();
    // A reader that has stopped reading never receives the end of the stream, and would keep the connection open
    // forever. Destroy its stream later.
    cancelEnd = machine.after(LIFETIME_MS, () => stream.destroy());
  }
  function beat(): void {
    if (stream.readableEnded || stream.destroyed) return;
    writer.beat();
    cancel = machine.after(HEARTBEAT_MS, beat);
  }
  stream.once('end', () => cancel());
  stream.once('close', () => {
    cancel();
    cancelEnd();
  });
}

/** The beginning of a stream. */
interface Beginning {
  /** The id of the newest event of the organization. */
  readonly newest: string;
  /** The events that the reader has missed. Undefined if they are unknown. */
  readonly missed: readonly EventRecord[] | undefined;
}

async function beginningOf(tx: ReadTx, reader: Reader, position: Position): Promise<Beginning> {
  const { orgId, lastEventId } = reader;
  const { results } = await listEvents(tx, { orgId }, { itemsPerPage: 1, pageNum: 1, includeCount: false });
  return {
    newest: results[0]?.id ?? NO_EVENT,
    missed: lastEventId === undefined ? [] : await missedSince(tx, reader, position),
  };
}

/**
 * Returns the events between the position of the reader and `position`. Undefined if the position of the reader is
 * unknown, for example because a saved state was restored, or if too many events follow it.
 */
async function missedSince(
  tx: ReadTx,
  reader: Reader,
  position: Position,
): Promise<readonly EventRecord[] | undefined> {
  const last = lastPositionOf(reader);
  if (last === undefined) return undefined;
  const { orgId, owner } = reader;
  const { id, from } = last;
  if (id !== NO_EVENT && (await findEvent(tx, { orgId }, id)) === undefined) return undefined;
  const ranges = rangesBetween(from, position);
  if (ranges === undefined || sizeOf(ranges) > MAX_PASSED) return undefined;
  const { events } = await findInRanges(tx, { orgId, owner }, { from, ranges }, MAX_MISSED + 1);
  return events.length > MAX_MISSED ? undefined : events;
}

/** Returns the last event that a reader has received, and the position after it. Undefined if they are unknown. */
function lastPositionOf({ lastEventId = '' }: Reader): { id: string; from: Position } | undefined {
  const [id = '', text] = lastEventId.split('.');
  const from = text === undefined ? undefined : parsePosition(text);
  return from && { id, from };
}

function isFor(owner: EventOwner, { orgId, groupId }: EventRecord): boolean {
  if ('groupId' in owner) return groupId === owner.groupId;
  const isVisible = groupId === undefined || owner.groupIds === undefined || owner.groupIds.includes(groupId);
  return orgId === owner.orgId && isVisible;
}

/** Caches the frame of each event, which is the same for all readers. */
const frames = new WeakMap<EventRecord, string>();

/** Returns the frame of an event, without its id and the empty line at its end. */
function frameOf(event: EventRecord): string {
  const known = frames.get(event);
  if (known !== undefined) return known;
  const data = JSON.stringify({ ...presentEvent(event, false), created: wholeSeconds(event.created) });
  const frame = `event: event\ndata: ${data}\n`;
  frames.set(event, frame);
  return frame;
}
