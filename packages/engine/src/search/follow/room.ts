/** Whether the disk has space for more index data; `little` announces `none`. */
export type DiskState = 'enough' | 'little' | 'none';

interface Disk {
  readonly free: number;
  readonly total: number;
}

/**
 * Maximum used shares of the disk (docs/contract/clusters.md 4.2): for search nodes, and for indexes on the disk of the
 * data.
 */
const shares = {
  own: { stop: 0.9, resume: 0.85 },
  shared: { stop: 0.96, resume: 0.94 },
};
/** Share of the disk between `little` and `none`. */
const AHEAD = 0.05;

/** A large disk with more free bytes than this counts as having space. */
const PLENTY = 2 * 2 ** 30;

/** Watches the space on the disk. After `none`, updates resume only when there is clearly more space. */
export class DiskSpace {
  readonly #disk: () => Disk;
  readonly #shares: (typeof shares)['own'];
  #room: DiskState = 'enough';

  constructor(kind: keyof typeof shares, disk: () => Disk) {
    this.#shares = shares[kind];
    this.#disk = disk;
  }

  /** The last result. */
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
