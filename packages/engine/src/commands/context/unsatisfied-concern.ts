/** The part of a reply about an unsatisfied write concern. The write itself has succeeded. */
export interface UnsatisfiedConcern {
  readonly code: number;
  readonly codeName: string;
  readonly errmsg: string;
  readonly errInfo?: object;
}
