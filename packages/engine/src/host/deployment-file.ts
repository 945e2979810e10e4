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
  /** Called when a check has found a fault. `key` is the key with which the check has read the file. */
  onDamaged: (fault: string, key: Uint8Array | undefined) => void = () => {};
  /** Called when a check finds that a damaged file is intact again. */
  onRepaired: () => void = () => {};
  readonly #directory: string;
  readonly #parts: Pick<HostParts, 'checks' | 'clock' | 'fileKeys'>;
  #key: Uint8Array | undefined;
  /** Monotonic machine time at which the file was last checked or opened. */
  #checked = 0;
  /** The last version of the damaged file that `recheck` has checked. */
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

  /**
   * Records that the file was opened. Opening counts as a check, because it reads the most important parts of the file.
   */
  opened(): void {
    this.#checked = this.#parts.clock.monotonic();
  }

  /**
   * Checks the file if the last check is at least `ms` milliseconds ago. Without regular checks, damage to rarely read
   * data could be found so late that all intact backups have expired.
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
   * Checks a closed file again after a failed check, because an intact file may have replaced it. Checks each version
   * of the file only once.
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
   * Records a failed check. Returns false if the key has changed since the check, because the result is then
   * meaningless.
   */
  async noteDamage(fault: string, key: Uint8Array | undefined): Promise<boolean> {
    if (!isDeepStrictEqual(key, this.#key)) return false;
    await noteFailedCheck(this.path, fault);
    return true;
  }

  /** Replaces the closed file by another file. `key` is the key of both files, if they are encrypted. */
  replace(file: string, key: FileKey | undefined): void {
    removeSearchFile(this.#directory);
    replaceFile(this.path, file, key?.key);
  }
}
