/**
 * Errors as data. A layer or resource declares its error codes in a table and throws them. Only the HTTP edge formats
 * them (docs/contract/api.md 7).
 */

import { clipped } from './clipped.ts';

/** An error in one field of a request. */
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
  /** The parameters in the response; null for errors for which the contract requires null instead of an empty list. */
  readonly parameters: readonly FaultParameter[] | null;
  /** The invalid fields of the request, if the response lists them. */
  fields?: readonly FieldViolation[];
  /** Headers of the response, such as `Allow`, `Retry-After` and `WWW-Authenticate`. */
  headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Parts of the message that can quote stored documents. Records of requests without bodies omit them. */
  stored?: readonly string[];

  constructor(code: string, status: number, detail: string, parameters: readonly FaultParameter[] | null) {
    // Suppresses the stack trace, because a fault is the caller's error and not a bug. The trace would take 5 of the 19
    // µs that a rejected request takes without HTTP.
    const frames = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(parameters?.length ? detail : clipped(detail));
    Error.stackTraceLimit = frames;
    this.name = 'Fault';
    this.code = code;
    this.status = status;
    this.parameters = parameters?.map(shown) ?? null;
  }

  with(more: { fields?: Fault['fields']; headers?: Fault['headers']; stored?: Fault['stored'] }): this {
    const fields = more.fields?.map(({ field, description }) => ({
      field: clipped(field),
      description: clipped(description),
    }));
    return Object.assign(this, more, fields && { fields });
  }

  /**
   * Adds a sentence to the detail. For errors to which no parameter can be added, because the contract defines their
   * parameters.
   */
  because(sentence: string): this {
    this.message = `${this.message} ${sentence}`;
    return this;
  }

  /** Names the invalid field. For errors whose detail and parameters do not contain the name of the field. */
  at(field: string, description = this.message): this {
    this.with({ fields: [{ field, description }] });
    if (field !== '') this.message = `${clipped(field)}: ${this.message}`;
    return this;
  }
}

/** The status and detail of one code. `{0}` and `{1}` stand for the parameters in order. */
export type FaultRule = readonly [status: number, detail: string];

type P = FaultParameter;

/** The parameters of a detail. The highest number in its placeholders determines how many there are. */
type ParametersOf<Sentence extends string> = string extends Sentence
  ? P[]
  : Sentence extends `${string}{3}${string}`
    ? [P, P, P, P]
    : Sentence extends `${string}{2}${string}`
      ? [P, P, P]
      : Sentence extends `${string}{1}${string}`
        ? [P, P]
        : Sentence extends `${string}{0}${string}`
          ? [P]
          : [];

export type FaultMaker<Sentence extends string = string> = ((
  ...parameters: ParametersOf<Sentence>
) => Fault) & { readonly rule: FaultRule };

export type FaultTable<T extends Record<string, FaultRule>> = {
  readonly [Code in keyof T]: FaultMaker<T[Code][1]>;
};

/** Any fault table, for code that reads only the rules. */
export type AnyFaultTable = Readonly<Record<string, { readonly rule: FaultRule }>>;

/**
 * Converts a table of codes to functions that create faults: `throw found.CLUSTER_NOT_FOUND(name, groupId)`.
 */
export function faults<const T extends Record<string, FaultRule>>(rules: T): FaultTable<T> {
  const makers = Object.entries(rules).map(([code, rule]) => [code, faultMaker(code, rule)]);
  return Object.fromEntries(makers) as FaultTable<T>;
}

/**
 * Like `faults`, for codes whose parameters are all names of fields. Each parameter becomes an invalid field of the
 * response.
 */
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
