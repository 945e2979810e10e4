import type { Client } from '../../client.ts';

export interface ResourceRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** The project and the organization in which callers create resources. */
export interface Target {
  readonly project: string;
  readonly orgId: string;
}

/** One entry of a list. */
export interface ListedResource {
  readonly name: string;
  readonly value: string;
  /** The id in paths; absent if paths contain the name. */
  readonly id?: string;
  /** How events name it; absent if by its id or name. */
  readonly eventName?: string;
}

/** The types of the events about resources of a kind. */
interface Events {
  readonly created: string;
  readonly changed?: string;
  readonly deleted: string;
  /** The field that names the resource; absent if none does, so that the events can only be counted. */
  readonly resourceField?: string;
  /** Whether a change without effect also records an event. */
  readonly recordsNoOps?: boolean;
}

/** A kind of resource, with the requests that create, change, delete and list it. Values are texts that lists return. */
export interface ResourceKind {
  readonly name: string;
  readonly values: readonly string[];
  readonly events: Events;
  create(target: Target, name: string, value: string): ResourceRequest;
  /** Absent if the kind cannot be changed. `key`: the id, or the name if paths contain that. */
  change?(target: Target, key: string, value: string, name: string): ResourceRequest;
  delete(target: Target, key: string): ResourceRequest;
  /** All existing resources of the kind. */
  list(client: Client, target: Target): Promise<readonly ListedResource[]>;
  /** How events name a resource, if neither by its name nor by a listed id. */
  eventNameOf?(name: string): string;
  /** The error code for a name that exists. */
  readonly duplicateCode?: string;
  /** Paths contain the id. Names may repeat, so a resource whose id is unknown is not created again. */
  readonly isAddressedById?: boolean;
  /** Creating an existing resource changes it. */
  readonly isUpsert?: boolean;
  /** The work continues after the response, so the result is known only when all work has ended. */
  readonly isAsynchronous?: boolean;
  /** The maximum number of existing resources; 40 by default. */
  readonly limit?: number;
}
