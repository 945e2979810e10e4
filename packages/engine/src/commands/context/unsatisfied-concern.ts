/** A write was done, but not as its write concern wants. */
export interface UnsatisfiedConcern {
  readonly code: number;
  readonly codeName: string;
  readonly errmsg: string;
  readonly errInfo?: object;
}
