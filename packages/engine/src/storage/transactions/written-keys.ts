import { firstIndex } from '@portolan/foundation/first-index';
import type { RawDocument } from '../../bson/raw.ts';
import { checking } from '../../language/expression/entries.ts';
import { documentKeys } from '../indexes/document-keys.ts';
import type { AccessPath } from '../model/access-path.ts';
import type { RunningStatement } from '../model/running-statement.ts';
import { idKey } from '../records/id-key.ts';
import type { StoredRecord } from '../records/page.ts';
import type { Overlay, Written } from './overlay.ts';
import type { Placed } from './overlay-scan.ts';
import type { Position } from './scan-orders.ts';

/** The paths of a single scan. Other paths consist of several scans. */
export type ScanPath = Exclude<AccessPath, { kind: 'union' | 'merge' }>;

/** A key of a written document. */
interface WrittenKey {
  readonly key: Uint8Array;
  readonly written: WrittenDocument;
}

/** A document that the transaction has written and not removed. */
type WrittenDocument = Written & StoredRecord;

/** Estimated memory of a key, in addition to its bytes. */
const KEY_OVERHEAD = 64;
const noKey = new Uint8Array(0);
const [byRow, byId] = [{}, {}];

/**
 * The documents that a transaction has written, in the order of the paths that the running statement reads. A statement
 * can read a path once for each value or document, so the sorted keys are kept until the transaction writes again, or
 * the statement ends.
 */
export class WrittenKeys {
  readonly #overlay: Overlay;
  readonly #running: RunningStatement;
  /** The sorted keys, by statement. Ended statements free them. */
  #kept = new WeakMap<object, Map<object, readonly WrittenKey[]>>();
  #writes = 0;

  constructor(overlay: Overlay, running: RunningStatement) {
    this.#overlay = overlay;
    this.#running = running;
  }

  /**
   * Yields the written documents on a path. With `clustered`, the natural order is that of `_id`. A document with several
   * keys on the path is at the place of the first of them.
   */
  *on(path: ScanPath, clustered: boolean): Generator<Placed<Position>> {
    const seen = new Set<WrittenDocument>();
    for (const { key, written } of this.#within(path, clustered)) {
      this.#running.check();
      if (seen.has(written)) continue;
      seen.add(written);
      yield { record: written, position: { key, rid: written.rid } };
    }
  }

  *#within(path: ScanPath, clustered: boolean): Generator<WrittenKey> {
    const keys = this.#sorted(path, clustered);
    for (const [from, to] of piecesOf(path, keys)) {
      this.#running.check();
      if (path.reverse) for (let at = to - 1; at >= from; at--) yield keys[at] as WrittenKey;
      else for (let at = from; at < to; at++) yield keys[at] as WrittenKey;
    }
  }

  #sorted(path: ScanPath, clustered: boolean): readonly WrittenKey[] {
    const order = orderOf(path, clustered);
    const { operation } = this.#running;
    if (operation === undefined) return this.#sort(path, order);
    if (this.#writes !== this.#overlay.writes) this.#kept = new WeakMap();
    this.#writes = this.#overlay.writes;
    const kept = this.#kept.get(operation) ?? new Map<object, readonly WrittenKey[]>();
    this.#kept.set(operation, kept);
    const keys = kept.get(order) ?? this.#sort(path, order);
    kept.set(order, keys);
    return keys;
  }

  #sort(path: ScanPath, order: object): WrittenKey[] {
    const keys: WrittenKey[] = [];
    for (const written of this.#overlay.values()) {
      this.#running.check();
      if (!isKept(written)) continue;
      for (const key of keysOf(path, order, written.doc)) {
        this.#running.keep(key.length + KEY_OVERHEAD, 'The keys that a transaction has written');
        keys.push({ key, written });
      }
    }
    return keys.sort(checking(this.#running, compareKeys));
  }
}

/** Returns an object that is the same for all paths with this order. */
function orderOf(path: ScanPath, clustered: boolean): object {
  if (path.kind === 'index') return path.index;
  return path.kind === 'natural' && !clustered ? byRow : byId;
}

function keysOf(path: ScanPath, order: object, doc: RawDocument): readonly Uint8Array[] {
  if (path.kind === 'index') return documentKeys(path.index, doc).keys;
  return [order === byRow ? noKey : idKey(doc)];
}

function isKept(written: Written): written is WrittenDocument {
  return written.doc !== undefined;
}

function compareKeys(a: WrittenKey, b: WrittenKey): number {
  return Buffer.compare(a.key, b.key) || a.written.rid - b.written.rid;
}

/** Yields the positions of the keys on the path in pieces: the first position, and the one after the last. */
function* piecesOf(path: ScanPath, keys: readonly WrittenKey[]): Generator<readonly [number, number]> {
  const from = (key: Uint8Array, inclusive: boolean) => placeOf(keys, key, inclusive);
  if (path.kind === 'index') {
    for (const { low, high } of inOrder(path.ranges, path.reverse))
      yield [from(low, true), high === undefined ? keys.length : from(high, true)];
  } else if (path.kind === 'byId' && path.intervals !== undefined) {
    for (const { low, high } of inOrder(path.intervals, path.reverse))
      yield [from(low.key, low.inclusive), from(high.key, !high.inclusive)];
  } else yield [0, keys.length];
}

/** Returns the position of the first key that is greater than the given one. With `inclusive`, it can also be equal. */
function placeOf(keys: readonly WrittenKey[], wanted: Uint8Array, inclusive: boolean): number {
  return firstIndex(keys, ({ key }) => Buffer.compare(key, wanted) >= (inclusive ? 0 : 1));
}

function inOrder<T>(ranges: readonly T[], reverse: boolean): readonly T[] {
  return reverse ? ranges.toReversed() : ranges;
}
