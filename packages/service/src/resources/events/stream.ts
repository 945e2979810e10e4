import { Readable } from 'node:stream';
import { wholeSeconds } from '../../api/dates.ts';
import { generalFaults } from '../../api/faults.ts';
import type { Call } from '../../api/operation.ts';
import {
  type EventOwner,
  type EventRecord,
  findEvent,
  findEventsAfter,
  listEvents,
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
/** Maximum number of missed events that are sent. A reader that has missed more events receives the event `reset`. */
const MAX_MISSED = 1000;
/** If more bytes wait for a slow reader, the connection is closed. */
const MAX_WAITING = 256 * 1024;
/** Maximum number of streams of an organization and its projects at one instance. */
export const MAX_STREAMS = 500;
/** An event may become visible up to this much later than newer events, since instances commit concurrently. */
const LATE_MS = 5000;
/** The last event id of a reader that has not received any event. */
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
 * Streams events as they are recorded, as server-sent events. The stream starts with the events after the last event
 * that the reader has received.
 */
export async function streamEvents(services: Services, reader: Reader): Promise<Readable> {
  const { eventHub, store, machine } = services;
  if (eventHub.listenersOf(reader.orgId) >= MAX_STREAMS)
    throw generalFaults.SERVICE_UNAVAILABLE().with({ headers: { 'Retry-After': '60' } });
  const stream = new Readable({ read() {} });
  const early: EventRecord[] = [];
  let deliver = (events: readonly EventRecord[]): void => void early.push(...events);
  const end = await eventHub.listen(reader.orgId, (events) => {
    const own = events.filter((event) => isFor(reader.owner, event));
    if (own.length > 0) deliver(own);
  });
  stream.once('close', end);
  try {
    const lateMs = store.capabilities.shared ? LATE_MS : 0;
    const { start, missed } = await store.read((tx) => beginningOf(tx, reader, lateMs));
    const sent = new Set(missed.map(({ id }) => id));
    const newer = early.filter(({ id }) => !sent.has(id));
    stream.push(`retry: 1000\n${start}\n${[...missed, ...newer].map(frameOf).join('')}`);
  } catch (error) {
    stream.destroy();
    throw error;
  }
  let isEnded = false;
  const write = (text: string) => {
    if (!isEnded) stream.push(text);
  };
  const finish = () => {
    isEnded = true;
    stream.push(null);
  };
  deliver = (events) => {
    if (stream.readableLength > MAX_WAITING) stream.destroy(new Error('The reader is too slow'));
    else write(events.map(frameOf).join(''));
  };
  endInTime(stream, machine, { write, finish });
  const stopWatching = reader.session?.whenEnded(finish);
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

interface Writing {
  readonly write: (text: string) => void;
  /** Ends the stream after the texts that were written. */
  readonly finish: () => void;
}

function endInTime(stream: Readable, machine: Services['machine'], { write, finish }: Writing): void {
  let cancel = machine.after(HEARTBEAT_MS, beat);
  let cancelEnd = machine.after(LIFETIME_MS, end);
  function end(): void {
    finish();
    // A reader that has stopped reading never receives the end of the stream, and would keep the connection open
    // forever. Destroy its stream later.
    cancelEnd = machine.after(LIFETIME_MS, () => stream.destroy());
  }
  function beat(): void {
    if (stream.readableEnded || stream.destroyed) return;
    write(':\n\n');
    cancel = machine.after(HEARTBEAT_MS, beat);
  }
  stream.once('end', () => cancel());
  stream.once('close', () => {
    cancel();
    cancelEnd();
  });
}

/**
 * Returns the beginning of a stream: the frame with the id to resume from, and the events after the reader's last
 * event.
 */
async function beginningOf(
  tx: ReadTx,
  { owner, lastEventId }: Reader,
  lateMs: number,
): Promise<{ start: string; missed: EventRecord[] }> {
  if (lastEventId !== undefined) {
    const missed = await missedSince(tx, owner, lastEventId, lateMs);
    if (missed !== undefined) return { start: '', missed };
  }
  const { results } = await listEvents(tx, owner, { itemsPerPage: 1, pageNum: 1, includeCount: false });
  const id = `id: ${results[0]?.id ?? NO_EVENT}\n`;
  // A frame without data only sets the last event id of the reader.
  return { start: lastEventId === undefined ? id : `${id}event: reset\ndata: {}\n`, missed: [] };
}

/**
 * Returns the events after the reader's last event. Undefined if that event is unknown, or if too many events follow
 * it.
 */
async function missedSince(
  tx: ReadTx,
  owner: EventOwner,
  lastEventId: string,
  lateMs: number,
): Promise<EventRecord[] | undefined> {
  const last =
    lastEventId === NO_EVENT ? { id: '', created: new Date(0) } : await findEvent(tx, owner, lastEventId);
  if (last === undefined) return undefined;
  const after = lateMs === 0 ? last : { created: new Date(last.created.getTime() - lateMs) };
  const missed = await findEventsAfter(tx, owner, after, MAX_MISSED);
  return missed?.filter(({ id }) => id !== last.id);
}

function isFor(owner: EventOwner, { orgId, groupId }: EventRecord): boolean {
  if ('groupId' in owner) return groupId === owner.groupId;
  const isVisible = groupId === undefined || owner.groupIds === undefined || owner.groupIds.includes(groupId);
  return orgId === owner.orgId && isVisible;
}

/** Caches the frame of each event, which is the same for all readers. */
const frames = new WeakMap<EventRecord, string>();

function frameOf(event: EventRecord): string {
  const known = frames.get(event);
  if (known !== undefined) return known;
  const data = JSON.stringify({ ...presentEvent(event, false), created: wholeSeconds(event.created) });
  const frame = `id: ${event.id}\nevent: event\ndata: ${data}\n\n`;
  frames.set(event, frame);
  return frame;
}
