import type { FoundServers } from '@portolan/engine/interface/engine';
import type { AccountBook } from './accounts/index.ts';
import type { AdoptedConnection } from './connection.ts';
import { AdoptedDeployment, type Parts } from './deployment.ts';
import type { SearchBook } from './search/index.ts';

/** A deployment as stored. */
interface StoredAdoption {
  readonly connection: AdoptedConnection;
  /** The last known state of the servers. */
  readonly found: FoundServers | undefined;
  /** Whether an instance has begun to drop the databases, and has not ended the drop. */
  readonly isDropped: boolean;
}

/** The deployments in the store; they can change at any time. */
export interface Adoptions {
  ids(): Promise<readonly string[]>;
  find(id: string): Promise<StoredAdoption | undefined>;
  /** Returns the adopted clusters of a project. */
  inProject(groupId: string): Promise<ReadonlyArray<{ readonly id: string; readonly name: string }>>;
  readonly accounts: AccountBook;
  readonly searchIndexes: SearchBook;
}

/** The deployments that this instance is connected to. */
export class OpenDeployments {
  readonly #adoptions: Adoptions;
  readonly #parts: Parts;
  readonly #open = new Map<string, Promise<AdoptedDeployment | undefined>>();

  constructor(adoptions: Adoptions, parts: Parts) {
    this.#adoptions = adoptions;
    this.#parts = parts;
  }

  /** Connects to a deployment on first use. Returns undefined if the store does not contain the deployment. */
  async find(id: string): Promise<AdoptedDeployment | undefined> {
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const opened = this.#adoptions
      .find(id)
      .then((stored) => stored && new AdoptedDeployment(id, stored, this.#parts));
    this.#open.set(id, opened);
    const deployment = await opened.catch(() => undefined);
    if (deployment === undefined) this.#open.delete(id);
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

  /** Returns the ids in the store; disconnects from deployments that are no longer in it. */
  async #current(): Promise<readonly string[]> {
    const ids = await this.#adoptions.ids();
    await Promise.all([...this.#open.keys()].filter((id) => !ids.includes(id)).map((id) => this.close(id)));
    return ids;
  }

  async close(id: string): Promise<void> {
    const known = this.#open.get(id);
    this.#open.delete(id);
    await (await known?.catch(() => undefined))?.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.close(id)));
  }
}
