import type { OplogSegment } from '@portolan/engine/management';
import type { ObjectStore } from '../../../objects/object-store.ts';
import { VaultDamaged } from './vault.ts';

/** The archived oplog of one cluster: segments, each under the entry that it follows and its hash. */
export class OplogVault {
  readonly #objects: ObjectStore;
  readonly #folder: string;

  constructor(objects: ObjectStore, clusterId: string) {
    this.#objects = objects;
    this.#folder = `${clusterId}/oplog/`;
  }

  async keep(segment: OplogSegment, content: Uint8Array): Promise<void> {
    await this.#objects.put(this.#folder + nameOf(segment), content);
  }

  /** Throws `VaultDamaged` where it is not kept, or has another length than it had. */
  async content(segment: OplogSegment & { readonly bytes: number }): Promise<Uint8Array> {
    const content = await this.#objects.get(this.#folder + nameOf(segment));
    if (content === undefined)
      throw new VaultDamaged(`segment ${segment.hash} of the oplog is not in the snapshot store`);
    if (content.length !== segment.bytes)
      throw new VaultDamaged(
        `segment ${segment.hash} of the oplog has ${content.length} of ${segment.bytes} bytes`,
      );
    return content;
  }

  /** Those of them that are not kept. */
  async missing<T extends OplogSegment & { readonly bytes: number }>(segments: readonly T[]): Promise<T[]> {
    const sizes = await this.#objects.list(this.#folder);
    return segments.filter((segment) => sizes.get(nameOf(segment)) !== segment.bytes);
  }

  /** Removes these, but what others name too: histories that overlap have segments in common. */
  async forget(segments: readonly OplogSegment[], kept: readonly OplogSegment[]): Promise<void> {
    const names = new Set(kept.map(nameOf));
    const going = segments.map(nameOf).filter((name) => !names.has(name));
    await this.#objects.delete(going.map((name) => this.#folder + name));
  }

  /** Removes what these do not name, with what was cut off. */
  async forgetAllBut(kept: readonly OplogSegment[]): Promise<void> {
    await this.#objects.tidy?.(this.#folder);
    const names = new Set(kept.map(nameOf));
    const going = [...(await this.#objects.list(this.#folder)).keys()].filter((name) => !names.has(name));
    await this.#objects.delete(going.map((name) => this.#folder + name));
  }
}

function nameOf({ after, hash }: OplogSegment): string {
  return `${after.seconds}.${after.increment}-${hash}`;
}
