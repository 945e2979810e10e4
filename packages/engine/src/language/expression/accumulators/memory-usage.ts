import type { Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { OVERHEAD, STAGE_BYTES } from '../../workspace.ts';

/** Counts the bytes of the values that an accumulator keeps. Throws `ExceededMemoryLimit` beyond the server's limit. */
export class MemoryUsage {
  readonly #name: string;
  bytes = 0;

  constructor(name: string) {
    this.#name = name;
  }

  grow({ start, end }: Value): void {
    this.growBy(end - start + OVERHEAD);
  }

  shrink({ start, end }: Value): void {
    this.bytes -= end - start + OVERHEAD;
  }

  growBy(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes <= STAGE_BYTES) return;
    throw new ServerError(
      'ExceededMemoryLimit',
      `${this.#name} used too much memory and cannot spill to disk. Used: ${this.bytes} bytes. ` +
        `Memory limit: ${STAGE_BYTES} bytes`,
    );
  }
}

/** The values that an accumulator keeps, with the count of their bytes. */
export abstract class MeasuredValues {
  protected readonly held: MemoryUsage;

  constructor(name: string) {
    this.held = new MemoryUsage(name);
  }

  get size(): number {
    return this.held.bytes;
  }
}
