/** The state of a change, such as that of `useChange`. */
export interface Attempt {
  readonly isPending: boolean;
  readonly error: Error | null | undefined;
}
