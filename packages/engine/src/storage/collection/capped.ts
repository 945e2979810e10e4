import type { RawDocument } from '../../bson/raw.ts';
import type { ScanFigures } from '../indexes/index-scan.ts';
import type { AccessPath } from '../model/access-path.ts';
import { naturalOrder } from '../records/order.ts';
import { type RecordStream, Scan, type Use } from '../records/scan.ts';
import { Collection } from './collection.ts';
import { PositionedScan } from './positioned-scan.ts';

interface Limits {
  readonly bytes: number;
  readonly documents: number;
}

/**
 * A collection of limited size, where new documents displace the oldest. Scans follow the insertion order, and a reader
 * can wait at the end for new documents.
 */
export class CappedCollection extends Collection {
  #limits: Limits | undefined;
  #limitsOf: RawDocument | undefined;

  get limits(): Limits {
    if (this.#limits === undefined || this.#limitsOf !== this.options) {
      this.#limits = limitsOf(this.options);
      this.#limitsOf = this.options;
    }
    return this.#limits;
  }

  override insertTogether(): boolean {
    return false;
  }

  override insert(key: Uint8Array, doc: RawDocument): boolean {
    if (!super.insert(key, doc)) return false;
    if (!this.isReplayed) this.#trim();
    return true;
  }

  override scan(path: AccessPath, expected?: number, figures?: ScanFigures, use?: Use): RecordStream {
    const records = super.scan(path, expected, figures, use);
    return path.kind === 'natural' ? new PositionedScan(records, (rid) => this.holds(rid)) : records;
  }

  /** Scans the records after `rid`. If `rid` is undefined, scans all records. */
  scanAfter(rid: number | undefined): RecordStream {
    const low = rid === undefined ? undefined : { value: rid, inclusive: false };
    return new Scan(this.source(), naturalOrder(false, low));
  }

  holds(rid: number): boolean {
    const at = { value: rid, inclusive: true };
    return new Scan(this.source(), naturalOrder(false, at, at), 1).next() !== undefined;
  }

  /**
   * Removes the oldest documents until the others fit the limit. Keeps the newest document even if it exceeds the
   * limit.
   */
  #trim(): void {
    const { bytes, documents } = this.limits;
    while (this.documents > 1 && (this.bytes > bytes || this.documents > documents)) {
      const oldest = super.scan({ kind: 'natural', reverse: false }, 1).next();
      if (oldest === undefined) return;
      this.remove(oldest);
    }
  }
}

function limitsOf(options: RawDocument): Limits {
  const limit = (name: string) => {
    const value = options.int(name) ?? 0;
    return value > 0 ? value : Number.POSITIVE_INFINITY;
  };
  return { bytes: limit('size'), documents: limit('max') };
}
