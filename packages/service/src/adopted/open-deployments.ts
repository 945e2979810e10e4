import type { FoundServers } from '@portolan/engine/interface/engine';
import type { AccountBook } from './accounts/index.ts';
import type { AdoptedConnection } from './connection.ts';
import { AdoptedDeployment, type Parts } from './deployment.ts';
import type { SearchBook } from './search/index.ts';

/** A deployment as stored. */
interface StoredAdoption {
  readonly connection: AdoptedConnection;
  /** A text that changes whenever the connection changes. */
  readonly version: string;
  /** The last known state of the servers. */
  readonly found: FoundServers | undefined;
  /** Whether an instance has begun to drop the databases, and has not ended the drop. */
  readonly isDropped: boolean;
}

/** The deployments in the store; they can change at any time. */
export interface Adoptions {
  /** Returns the version of each connection, by the id of the deployment. */
  versions(): Promise<ReadonlyMap<string, string>>;
  find(id: string): Promise<StoredAdoption | undefined>;
  /** Returns the adopted clusters of a project. */
  inProject(groupId: string): Promise<ReadonlyArray<{ readonly id: string; readonly name: string }>>;
  readonly accounts: AccountBook;
  readonly searchIndexes: SearchBook;
}

interface Opened {
  readonly deployment: AdoptedDeployment;
  readonly version: string;
}

/** The deployments that this instance is connected to. */
export class OpenDeployments {
  readonly #adoptions: Adoptions;
  readonly #parts: Parts;
  readonly #open = new Map<string, Promise<Opened | undefined>>();

  constructor(adoptions: Adoptions, parts: Parts) {
    this.#adoptions = adoptions;
    this.#parts = parts;
  }

  /** Connects to a deployment on first use. Returns undefined if the store does not contain the deployment. */
  async find(id: string): Promise<AdoptedDeployment | undefined> {
    return (await this.#opened(id))?.deployment;
  }

  async #opened(id: string): Promise<Opened | undefined> {
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const opened = this.#adoptions.find(id).then(
      (stored) =>
        stored && {
          deployment: new AdoptedDeployment(id, stored, this.#parts),
          version: stored.version,
        },
    );
    this.#open.set(id, opened);
    const found = await opened.catch(() => undefined);
    if (found === undefined) this.#open.delete(id);
    return opened;
  }

  async require(id: string): Promise<AdoptedDeployment> {
    const deployment = await this.find(id);
    if (deployment === undefined) throw new Error(`no deployment is adopted with the id ${id}`);
    return deployment;
  }

  /** Returns the deployments with these ids; by default all. */
  async chosen(ids: readonly string[] | undefined): Promise<AdoptedDeployment[]> {
    const opened = await Promise.all((ids ?? (await this.#current())).map((id) => this.find(id)));
    return opened.filter((one) => one !== undefined);
  }

  /**
   * Returns the ids in the store. Disconnects from deployments that are no longer in it, and from those whose
   * connection has changed, so that the next use connects again.
   */
  async #current(): Promise<readonly string[]> {
    const versions = await this.#adoptions.versions();
    await Promise.all(
      [...this.#open].map(async ([id, opened]) => {
        const version = (await opened.catch(() => undefined))?.version;
        if (version !== undefined && versions.get(id) !== version) await this.close(id);
      }),
    );
    return [...versions.keys()];
  }

  async close(id: string): Promise<void> {
    const known = this.#open.get(id);
    this.#open.delete(id);
    await (await known?.catch(() => undefined))?.deployment.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.close(id)));
  }
}
