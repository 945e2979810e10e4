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

/** The file of a deployment: its key and its checks. */
export class DeploymentFile {
  readonly path: string;
  /** Called with the fault that a check of the file found, and the key used to read the file. */
  onDamaged: (fault: string, key: Uint8Array | undefined) => void = () => {};
  /** Called when a file that was damaged has no fault any more. */
  onRepaired: () => void = () => {};
  readonly #directory: string;
  readonly #parts: Pick<HostParts, 'checks' | 'clock' | 'fileKeys'>;
  #key: Uint8Array | undefined;
  /** Monotonic machine time at which the file was checked or opened. */
  #checked = 0;
  /** The version of a damaged file that was checked again. */
  #rechecked: string | undefined;

  constructor(directory: string, parts: Pick<HostParts, 'checks' | 'clock' | 'fileKeys'>) {
    this.path = join(directory, FILE_NAME);
    this.#directory = directory;
    this.#parts = parts;
  }

  /** Key of the file, while the file is open and encrypted. */
  get key(): Uint8Array | undefined {
    return this.#key;
  }

  /** Applies the configured encryption. */
  async settleKey(encryption: DeploymentSpec['encryption']): Promise<void> {
    this.#key = await this.#parts.fileKeys.settle(this.#directory, encryption);
  }

  /** Throws if the file is lost. */
  refuseLost(): void {
    refuseLost(this.path);
  }

  /** Whether the last process ended without closing the file. */
  wasLeftOpen(): boolean {
    return wasLeftOpen(this.#directory, FILE_NAME);
  }

  /** Counts as a check, since opening a file reads its most important parts. */
  opened(): void {
    this.#checked = this.#parts.clock.monotonic();
  }

  /** Verifies the file at intervals, because damage to data that are never read would be found only after backups have expired. */
  checkEvery(ms: number): void {
    if (this.#parts.clock.monotonic() - this.#checked >= ms) this.check();
  }

  /** Checks the file in the background at low priority; the deployment keeps serving meanwhile. */
  check(): void {
    const { checks, clock } = this.#parts;
    this.#checked = clock.monotonic();
    const key = this.#key;
    checks?.check({ file: this.path, key, closed: false }, (fault) => {
      if (fault !== undefined) this.onDamaged(fault, key);
    });
  }

  /** Checks a closed file that has failed a check, once after each change: it may have been replaced by an intact one. */
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

  /** Records a failed check. Returns false if the key has changed since the check, whose result is then meaningless. */
  async noteDamage(fault: string, key: Uint8Array | undefined): Promise<boolean> {
    if (!isDeepStrictEqual(key, this.#key)) return false;
    await noteFailedCheck(this.path, fault);
    return true;
  }

  /** Replaces the closed file with another one that is encrypted with this key. */
  replace(file: string, key: FileKey | undefined): void {
    removeSearchFile(this.#directory);
    replaceFile(this.path, file, key?.key);
  }
}
