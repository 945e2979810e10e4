/** The part of a reply that reports that a write succeeded but did not satisfy its write concern. */
export interface UnsatisfiedConcern {
  readonly code: number;
  readonly codeName: string;
  readonly errmsg: string;
  readonly errInfo?: object;
}
