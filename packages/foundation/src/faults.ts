/**
 * Errors as facts. A layer or a resource declares the codes it can answer as one table; whoever finds the fact
 * throws it, and the HTTP edge alone gives it a form (contract 7).
 */

import { clipped } from './clipped.ts';

/** What a caller is told about one field of a request. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

function shown(parameter: FaultParameter): FaultParameter {
  if (typeof parameter === 'string') return clipped(parameter);
  return typeof parameter === 'object' && parameter !== null ? parameter.map(clipped) : parameter;
}

export type FaultParameter = string | number | boolean | null | readonly string[];

export class Fault extends Error {
  readonly code: string;
  readonly status: number;
  /** Null where the reference has it so, in place of none. */
  readonly parameters: readonly FaultParameter[] | null;
  /** Fields of the request that are at fault, where the answer lists them. */
  fields?: readonly FieldViolation[];
  /** Headers that go with the answer: `Allow`, `Retry-After`, `WWW-Authenticate`. */
  headers?: Readonly<Record<string, string | readonly string[]>>;

  constructor(code: string, status: number, detail: string, parameters: readonly FaultParameter[] | null) {
    // A fact for a caller, not a mistake of the program: where it was found is told to nobody, and to note it takes 5 µs
    // of the 19 that a refused request costs without HTTP.
    const frames = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(parameters?.length ? detail : clipped(detail));
    Error.stackTraceLimit = frames;
    this.name = 'Fault';
    this.code = code;
    this.status = status;
    this.parameters = parameters?.map(shown) ?? null;
  }

  with(more: { fields?: Fault['fields']; headers?: Fault['headers'] }): this {
    const fields = more.fields?.map(({ field, description }) => ({
      field: clipped(field),
      description: clipped(description),
    }));
    return Object.assign(this, more, fields && { fields });
  }

  /** Names the field of the request that it is about, where neither detail nor parameters do. */
  at(field: string, description = this.message): this {
    this.with({ fields: [{ field, description }] });
    if (field !== '') this.message = `${clipped(field)}: ${this.message}`;
    return this;
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

/** As `faults`, for codes whose parameters are all names of fields of the request: each is listed as one. */
export function fieldFaults<const T extends Record<string, FaultRule>>(rules: T): FaultTable<T> {
  const makers = Object.entries(rules).map(([code, rule]) => {
    const make = faultMaker(code, rule);
    const listing = (...names: FaultParameter[]) => {
      const fault = make(...names);
      const fields = names.flatMap((name) => (Array.isArray(name) ? name : String(name).split(', ')));
      return fault.with({ fields: fields.map((field) => ({ field, description: fault.message })) });
    };
    return [code, Object.assign(listing, { rule })];
  });
  return Object.fromEntries(makers) as FaultTable<T>;
}

function faultMaker(code: string, rule: FaultRule): FaultMaker {
  const [status, template] = rule;
  const make = (...parameters: FaultParameter[]) => {
    const detail = template.replace(/\{(\d)\}/g, (_, index) =>
      String(shown(parameters[Number(index)] ?? '')),
    );
    return new Fault(code, status, detail, parameters);
  };
  return Object.assign(make, { rule });
}
