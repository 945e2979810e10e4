import type { MongoClient } from 'mongodb';

/** A server, and whether the client of it sends credentials. */
export interface MemberLogin {
  /** Host and port. */
  readonly address: string;
  readonly logsIn: boolean;
}

/** The clients of the members of a deployment, which connect on first use. */
export class MemberClients {
  readonly #connect: (member: MemberLogin) => Promise<MongoClient>;
  readonly #clients = new Map<string, { readonly address: string; readonly client: Promise<MongoClient> }>();

  constructor(connect: (member: MemberLogin) => Promise<MongoClient>) {
    this.#connect = connect;
  }

  get size(): number {
    return this.#clients.size;
  }

  at(member: MemberLogin): Promise<MongoClient> {
    const key = `${member.address} ${member.logsIn}`;
    const known = this.#clients.get(key);
    if (known !== undefined) return known.client;
    const made = this.#connect(member).catch((error) => {
      if (this.#clients.get(key)?.client === made) this.#clients.delete(key);
      throw error;
    });
    this.#clients.set(key, { address: member.address, client: made });
    return made;
  }

  /** Returns the clients of all other servers than these, and forgets them. The caller must close them. */
  takeOthers(addresses: readonly string[] = []): Promise<MongoClient>[] {
    const kept = new Set(addresses);
    const others = [...this.#clients].filter(([, { address }]) => !kept.has(address));
    for (const [key] of others) this.#clients.delete(key);
    return others.map(([, { client }]) => client);
  }
}
