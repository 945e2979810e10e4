import type { Value } from '../value.ts';

/** What the operation around gives to expressions. */
export interface Environment {
  /**
   * Variables that have one value for the whole operation: those of the command's `let` and the system's
   * `NOW`, `CLUSTER_TIME` and `USER_ROLES`.
   */
  readonly constants: ReadonlyMap<string, Value | undefined>;
  /** A number from 0 up to 1, for `$rand`. */
  readonly random?: () => number;
}

export const noEnvironment: Environment = { constants: new Map() };
