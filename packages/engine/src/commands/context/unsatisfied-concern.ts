/** Reported with a write that succeeded without satisfying its write concern. */
export interface UnsatisfiedConcern {
  readonly code: number;
  readonly codeName: string;
  readonly errmsg: string;
  readonly errInfo?: object;
}
