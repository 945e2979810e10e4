/** The file descriptor on which a started host reports the outcome, as one JSON document. */
export const OUTCOME_FD = 3;

export type HostOutcome =
  | { readonly kind: 'ready' }
  /** Another host holds the data directory. */
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly message: string };
