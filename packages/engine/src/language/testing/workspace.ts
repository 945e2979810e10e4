import type { SpillFile, Workspace } from '../workspace.ts';

/** A workspace with a limit of a few bytes. Its files are in memory, and it counts them. */
export class SmallWorkspace implements Workspace {
  readonly disk: boolean;
  readonly #bytes: number;
  readonly use = { bytes: 0 };
  opened = 0;
  closed = 0;

  constructor(bytes: number, disk = true) {
    this.#bytes = bytes;
    this.disk = disk;
  }

  bytes(): number {
    return this.#bytes;
  }

  open(): SpillFile {
    this.opened++;
    let content = new Uint8Array(0);
    return {
      append(bytes) {
        const at = content.length;
        content = new Uint8Array(Buffer.concat([content, bytes]));
        return at;
      },
      read: (offset, length) => content.slice(offset, offset + length),
      close: () => {
        this.closed++;
      },
    };
  }
}
