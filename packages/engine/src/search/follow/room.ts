/** Whether the disk has space for more index data. `little` means that `none` will soon be reached. */
export type DiskState = 'enough' | 'little' | 'none';

interface Disk {
  readonly free: number;
  readonly total: number;
}

/**
 * The used share of the disk at which updates stop and resume (docs/contract/clusters.md 4.2): on the disk of a search
 * node, and on a disk shared with the data.
 */
const shares = {
  own: { stop: 0.9, resume: 0.85 },
  shared: { stop: 0.96, resume: 0.94 },
};
/** The range below `stop` in which the state is `little`, as a share of the disk. */
const AHEAD = 0.05;

/** A disk with more free bytes than this has enough space, whatever its size is. */
const PLENTY = 2 * 2 ** 30;

/** Watches the space on the disk. After `none`, updates resume only when the disk has clearly more space. */
export class DiskSpace {
  readonly #disk: () => Disk;
  readonly #shares: (typeof shares)['own'];
  #room: DiskState = 'enough';

  constructor(kind: keyof typeof shares, disk: () => Disk) {
    this.#shares = shares[kind];
    this.#disk = disk;
  }

  /** The result of the last `look`. */
  get now(): DiskState {
    return this.#room;
  }

  look(): DiskState {
    const { free, total } = this.#disk();
    const used = (total - free) / total;
    const { stop, resume } = this.#shares;
    if (free >= PLENTY) this.#room = used >= stop - AHEAD && free < 2 * PLENTY ? 'little' : 'enough';
    else if (used >= (this.#room === 'none' ? resume : stop)) this.#room = 'none';
    else this.#room = used >= stop - AHEAD ? 'little' : 'enough';
    return this.#room;
  }
}
