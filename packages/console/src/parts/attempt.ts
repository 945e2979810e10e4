/** The state of a request that changes something. `useChange` returns such a state. */
export interface Attempt {
  readonly isPending: boolean;
  readonly error: Error | null | undefined;
}
