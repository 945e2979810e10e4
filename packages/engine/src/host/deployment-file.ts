import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { DeploymentSpec } from '../interface/engine.ts';
import { removeSearchFile } from '../search/file/remove-file.ts';
import {
  forgetFailedCheck,
  notedVersion,
  noteFailedCheck,
  refuseLost,
  wasLeftOpen,
} from '../storage/file/damaged-file.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { replaceFile } from '../storage/file/replace-file.ts';
import type { FileKey } from './file-keys.ts';
import type { HostParts } from './host-parts.ts';

/** The data file of a deployment, with its key and integrity checks. */
export class DeploymentFile {
  readonly path: string;
  /** Called when a check has found a fault. `key` is the one with which the file was read. */
  onDamaged: (fault: string, key: Uint8Array | undefined) => void = () => {};
  /** Called when a check finds that a damaged file is intact again. */
  onRepaired: () => void = () => {};
  readonly #directory: string;
  readonly #parts: Pick<HostParts, 'checks' | 'clock' | 'fileKeys'>;
  #key: Uint8Array | undefined;
  /** Monotonic machine time at which the file was last checked or opened. */
  #checked = 0;
  /** The version of the damaged file that was last checked again. */
  #rechecked: string | undefined;

  constructor(directory: string, parts: Pick<HostParts, 'checks' | 'clock' | 'fileKeys'>) {
    this.path = join(directory, FILE_NAME);
    this.#directory = directory;
    this.#parts = parts;
  }

  /** The key of the file while it is open and encrypted. */
  get key(): Uint8Array | undefined {
    return this.#key;
  }

  /** Encrypts, decrypts or rekeys the file as configured. */
  async settleKey(encryption: DeploymentSpec['encryption']): Promise<void> {
    this.#key = await this.#parts.fileKeys.settle(this.#directory, encryption);
  }

  /** Throws if the file is missing or empty although it was created before. */
  refuseLost(): void {
    refuseLost(this.path);
  }

  /** True if the last process ended without closing the file. */
  wasLeftOpen(): boolean {
    return wasLeftOpen(this.#directory, FILE_NAME);
  }

  /** Records that the file was opened. This counts as a check, because opening reads its most important parts. */
  opened(): void {
    this.#checked = this.#parts.clock.monotonic();
  }

  /**
   * Checks the file if the last check is at least `ms` milliseconds ago. Without regular checks, damage to data that is
   * rarely read might be found only after the backups have expired.
   */
  checkEvery(ms: number): void {
    if (this.#parts.clock.monotonic() - this.#checked >= ms) this.check();
  }

  /** Checks the file in the background at low priority, while the deployment keeps running. */
  check(): void {
    const { checks, clock } = this.#parts;
    this.#checked = clock.monotonic();
    const key = this.#key;
    checks?.check({ file: this.path, key, closed: false }, (fault) => {
      if (fault !== undefined) this.onDamaged(fault, key);
    });
  }

  /**
   * Checks a closed file again after a failed check, because it may have been replaced by an intact one. Does this once
   * per change of the file.
   */
  async recheck(): Promise<void> {
    const version = notedVersion(this.path);
    if (version === undefined || version === this.#rechecked) return;
    this.#rechecked = version;
    const { checks, fileKeys } = this.#parts;
    const encryption = await fileKeys.of(this.#directory);
    checks?.check({ file: this.path, key: encryption?.key, closed: true }, (fault) => {
      if (fault !== undefined || notedVersion(this.path) !== version) return;
      forgetFailedCheck(this.path);
      this.onRepaired();
    });
  }

  /**
   * Records a failed check. Returns false if the key has changed since the check, which makes its result meaningless.
   */
  async noteDamage(fault: string, key: Uint8Array | undefined): Promise<boolean> {
    if (!isDeepStrictEqual(key, this.#key)) return false;
    await noteFailedCheck(this.path, fault);
    return true;
  }

  /** Replaces the closed file by one that is encrypted with this key. */
  replace(file: string, key: FileKey | undefined): void {
    removeSearchFile(this.#directory);
    replaceFile(this.path, file, key?.key);
  }
}
