/** The file descriptor to which a started host writes the outcome of its start, as a JSON document. */
export const OUTCOME_FD = 3;

export type HostOutcome =
  | { readonly kind: 'ready' }
  /** Another host uses the data directory. */
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly message: string };
