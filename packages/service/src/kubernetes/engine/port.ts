import type { KindFor } from './kinds.ts';

/** This file describes the Kubernetes API as the engine uses it. */

export interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMetadata;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

interface ObjectMetadata {
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly generation?: number;
  readonly resourceVersion?: string;
  readonly uid?: string;
  readonly deletionTimestamp?: unknown;
  readonly managedFields?: readonly ManagedFields[];
}

export interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly fieldsV1?: object;
}

export interface WatchHandlers {
  changed(object: KubernetesObject): void;
  gone(object: KubernetesObject): void;
  /** Called when the API does not respond, or refuses the watch. The watch is attempted again. */
  lost(reason: string): void;
  /** Called when a watch has begun, after all present objects have been passed to `changed`. */
  connected?(): void;
}

export interface KubernetesApi {
  /** Server-side apply, which takes over the fields of the object from other managers. */
  apply(object: KubernetesObject): Promise<KubernetesObject>;
  get(kind: KindFor<'get'>, namespace: string, name: string): Promise<KubernetesObject | undefined>;
  /** Returns the objects of all namespaces that have these labels. */
  list(kind: KindFor<'list'>, labelSelector: string): Promise<readonly KubernetesObject[]>;
  delete(kind: KindFor<'delete'>, namespace: string, name: string): Promise<void>;
  watch(
    kind: KindFor<'watch'>,
    handlers: WatchHandlers,
    options?: { readonly labelSelector?: string },
  ): { close(): Promise<void> };
  /** Ends all requests. */
  close(): void;
}
