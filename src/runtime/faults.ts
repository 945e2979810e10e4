/**
 * Errors as facts. A layer or a resource declares the codes it can answer as one table; whoever finds the fact
 * throws it, and the HTTP edge alone gives it a form (contract 7).
 */

/** What a caller is told about one field of a request. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

export type FaultParameter = string | number | boolean | null | readonly string[];

export class Fault extends Error {
  readonly code: string;
  readonly status: number;
  readonly parameters: readonly FaultParameter[];
  /** Fields of the request that are at fault, where the answer lists them. */
  fields?: readonly FieldViolation[];
  /** Headers that go with the answer: `Allow`, `Retry-After`, `WWW-Authenticate`. */
  headers?: Readonly<Record<string, string | readonly string[]>>;

  constructor(code: string, status: number, detail: string, parameters: readonly FaultParameter[]) {
    super(detail);
    this.name = 'Fault';
    this.code = code;
    this.status = status;
    this.parameters = parameters;
  }

  with(more: { fields?: Fault['fields']; headers?: Fault['headers'] }): this {
    return Object.assign(this, more);
  }
}

/** Status and sentence of one code; `{0}`, `{1}` stand for the parameters in order. */
export type FaultRule = readonly [status: number, detail: string];

export type FaultMaker = ((...parameters: FaultParameter[]) => Fault) & { readonly rule: FaultRule };

export type FaultTable<T extends Record<string, FaultRule>> = { readonly [Code in keyof T]: FaultMaker };

/** Turns a table of codes into functions that make the faults: `throw found.CLUSTER_NOT_FOUND(name, groupId)`. */
export function faults<const T extends Record<string, FaultRule>>(rules: T): FaultTable<T> {
  const makers = Object.entries(rules).map(([code, rule]) => [code, faultMaker(code, rule)]);
  return Object.fromEntries(makers) as FaultTable<T>;
}

function faultMaker(code: string, rule: FaultRule): FaultMaker {
  const [status, template] = rule;
  const make = (...parameters: FaultParameter[]) =>
    new Fault(
      code,
      status,
      template.replace(/\{(\d)\}/g, (_, index) => String(parameters[Number(index)] ?? '')),
      parameters,
    );
  return Object.assign(make, { rule });
}
