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

/** An entry of a list of resources. */
export interface ListedResource {
  readonly name: string;
  readonly value: string;
  /** The id of the resource in paths; absent if paths contain its name. */
  readonly id?: string;
  /** The name of the resource in events. Absent if events contain `id` or `name`. */
  readonly eventName?: string;
}

/** The types of the events about resources of a kind. */
interface Events {
  readonly created: string;
  readonly changed?: string;
  readonly deleted: string;
  /** The field that identifies the resource. Absent if events have no such field, so that they can only be counted. */
  readonly resourceField?: string;
  /** Whether a change that has no effect also records an event. */
  readonly recordsNoOps?: boolean;
}

/**
 * A kind of resource, and the requests that create, change, delete and list its resources. Each resource has a value: a
 * text that `create` and `change` set and that `list` returns.
 */
export interface ResourceKind {
  readonly name: string;
  readonly values: readonly string[];
  readonly events: Events;
  create(target: Target, name: string, value: string): ResourceRequest;
  /**
   * The request for a change; absent if resources of the kind cannot be changed. `key` is the id of the resource or, if
   * paths contain names, its name.
   */
  change?(target: Target, key: string, value: string, name: string): ResourceRequest;
  delete(target: Target, key: string): ResourceRequest;
  /** Lists all existing resources of the kind. */
  list(client: Client, target: Target): Promise<readonly ListedResource[]>;
  /**
   * Returns the name of a resource in events. Defined only for kinds whose events contain neither the name of the resource
   * nor its id.
   */
  eventNameOf?(name: string): string;
  /** The error code for a name that already exists. */
  readonly duplicateCode?: string;
  /**
   * Whether paths contain the id. In this case, names need not be unique, so a resource whose id is unknown is not
   * created again.
   */
  readonly isAddressedById?: boolean;
  /** Whether creating an existing resource changes it. */
  readonly isUpsert?: boolean;
  /** Whether the work continues after the response, so that its result is known only when all work has ended. */
  readonly isAsynchronous?: boolean;
  /** How many resources of the kind may exist; 40 by default. */
  readonly limit?: number;
}
