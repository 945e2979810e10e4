/** Number of bytes of a write after which the free space of the disk is read again. */
const BYTES_BETWEEN_CHECKS = 64 * 1024 * 1024;
/** Temporary files leave this much of a disk free for the data of all clusters, or `MIN_FREE_SHARE` if it is less. */
const MIN_FREE_BYTES = 500 * 1024 * 1024;
const MIN_FREE_SHARE = 0.05;

interface Disk {
  readonly total: number;
  readonly used: number;
}

/**
 * The space for the temporary files of a cluster: together at most the size of the disk of the cluster, and less if
 * the disk of the machine is nearly full. Otherwise a single sort could take the space of the data of all clusters.
 */
export class TemporarySpace {
  readonly #disk: () => Disk;
  /** Maximum size of all files together, in bytes. */
  most = Number.POSITIVE_INFINITY;
  #used = 0;
  #sinceCheck = BYTES_BETWEEN_CHECKS;

  constructor(disk: () => Disk) {
    this.#disk = disk;
  }

  /** Reserves bytes. Returns false if there is too little space. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.most) return false;
    this.#sinceCheck += bytes;
    if (this.#sinceCheck >= BYTES_BETWEEN_CHECKS) {
      const { total, used } = this.#disk();
      if (total - used - bytes < Math.min(MIN_FREE_BYTES, total * MIN_FREE_SHARE)) return false;
      this.#sinceCheck = 0;
    }
    this.#used += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#used -= bytes;
  }
}
