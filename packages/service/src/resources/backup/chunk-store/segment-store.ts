import type { OplogSegment } from '@portolan/engine/management';
import type { ObjectStore } from '../../../objects/object-store.ts';
import { BackupDamaged } from './chunk-store.ts';

/**
 * The archived oplog segments of one cluster. The key of a segment contains the position of the entry before the
 * segment, and the hash of the content.
 */
export class SegmentStore {
  readonly #objects: ObjectStore;
  readonly #folder: string;

  constructor(objects: ObjectStore, clusterId: string) {
    this.#objects = objects;
    this.#folder = `${clusterId}/oplog/`;
  }

  async keep(segment: OplogSegment, content: Uint8Array): Promise<void> {
    await this.#objects.put(this.#folder + nameOf(segment), content);
  }

  /** Reads a segment. Throws `BackupDamaged` if the segment is missing or has another length. */
  async content(segment: OplogSegment & { readonly bytes: number }): Promise<Uint8Array> {
    const content = await this.#objects.get(this.#folder + nameOf(segment));
    if (content === undefined)
      throw new BackupDamaged(`segment ${segment.hash} of the oplog is not in the snapshot store`);
    if (content.length !== segment.bytes)
      throw new BackupDamaged(
        `segment ${segment.hash} of the oplog has ${content.length} of ${segment.bytes} bytes`,
      );
    return content;
  }

  /** Returns the given segments that are not stored. */
  async missing<T extends OplogSegment & { readonly bytes: number }>(segments: readonly T[]): Promise<T[]> {
    const sizes = await this.#objects.list(this.#folder);
    return segments.filter((segment) => sizes.get(nameOf(segment)) !== segment.bytes);
  }

  /**
   * Removes these segments, except those in `kept`. Spans can overlap, so a segment of a removed span may
   * also belong to another span.
   */
  async forget(segments: readonly OplogSegment[], kept: readonly OplogSegment[]): Promise<void> {
    const names = new Set(kept.map(nameOf));
    const obsolete = segments.map(nameOf).filter((name) => !names.has(name));
    await this.#objects.delete(obsolete.map((name) => this.#folder + name));
  }

  /** Removes incomplete objects, and all segments except those in `kept`. */
  async forgetAllBut(kept: readonly OplogSegment[]): Promise<void> {
    await this.#objects.tidy?.(this.#folder);
    const names = new Set(kept.map(nameOf));
    const obsolete = [...(await this.#objects.list(this.#folder)).keys()].filter((name) => !names.has(name));
    await this.#objects.delete(obsolete.map((name) => this.#folder + name));
  }
}

function nameOf({ after, hash }: OplogSegment): string {
  return `${after.seconds}.${after.increment}-${hash}`;
}
