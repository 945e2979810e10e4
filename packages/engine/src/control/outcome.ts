/** Where a host that was started tells how it went, as one JSON document. */
export const OUTCOME_FD = 3;

export type HostOutcome =
  | { readonly kind: 'ready' }
  /** Another host has the data directory. */
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly message: string };
