/** Whether the disk takes more of what is indexed: `little` is told before there is none. */
export type Room = 'enough' | 'little' | 'none';

interface Disk {
  readonly free: number;
  readonly total: number;
}

/** Used shares of the disk (clusters-data reference 4.2): with threads of a cluster's own, and beside its data. */
const shares = {
  own: { stop: 0.9, resume: 0.85 },
  shared: { stop: 0.96, resume: 0.94 },
};
/** How long before it stops that is told. */
const AHEAD = 0.05;

/** A large disk that is nearly full still has room: with more than this left it is not said to have none. */
const PLENTY = 2 * 2 ** 30;

/** Looks how full the disk is. What has stopped goes on only when there is clearly more room again. */
export class RoomOnDisk {
  readonly #disk: () => Disk;
  readonly #shares: (typeof shares)['own'];
  #room: Room = 'enough';

  constructor(kind: keyof typeof shares, disk: () => Disk) {
    this.#shares = shares[kind];
    this.#disk = disk;
  }

  /** As it was found last. */
  get now(): Room {
    return this.#room;
  }

  look(): Room {
    const { free, total } = this.#disk();
    const used = (total - free) / total;
    const { stop, resume } = this.#shares;
    if (free >= PLENTY) this.#room = used >= stop - AHEAD && free < 2 * PLENTY ? 'little' : 'enough';
    else if (used >= (this.#room === 'none' ? resume : stop)) this.#room = 'none';
    else this.#room = used >= stop - AHEAD ? 'little' : 'enough';
    return this.#room;
  }
}
