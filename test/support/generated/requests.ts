import type { Dice } from '../random.ts';
import { damaged, nonsenseSegment, nonsenseText, nonsenseValue } from './damage.ts';
import type { DescribedOperation, Parameter } from './document.ts';
import type { Pools } from './pools.ts';
import { Values } from './values.ts';

/**
 * `valid` requests are valid according to the document. `near` requests have one error. `nonsense` requests have
 * arbitrary values. `hostile` requests are malformed.
 */
export type RequestKind = 'valid' | 'near' | 'nonsense' | 'hostile';

export interface GeneratedRequest {
  readonly kind: RequestKind;
  readonly operation: DescribedOperation;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly accept: string;
  readonly body: string | Buffer | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export class Requests {
  readonly #dice: Dice;
  readonly #pools: Pools;

  constructor(dice: Dice, pools: Pools) {
    this.#dice = dice;
    this.#pools = pools;
  }

  of(operation: DescribedOperation, kind: RequestKind): GeneratedRequest {
    const values = new Values(this.#dice, this.#pools, operation.resolve);
    const wrong = kind === 'near' ? this.#dice.below(operation.body ? 4 : 2) : -1;
    const isLegacy = operation.edition === 'v1.0';
    const dated = `application/vnd.service.${operation.edition}+json`;
    return {
      kind,
      operation,
      method: operation.method,
      target: this.#path(operation, values, kind, wrong === 0) + this.#query(operation, values, wrong === 1),
      accept: isLegacy || operation.template.startsWith('/operator') ? 'application/json' : dated,
      body: this.#body(operation, values, kind, wrong > 1),
    };
  }

  #path(operation: DescribedOperation, values: Values, kind: RequestKind, wrong: boolean): string {
    const inPath = operation.parameters.filter((one) => one.in === 'path');
    const bad = wrong || kind === 'nonsense' ? this.#dice.below(inPath.length + 1) : -1;
    return operation.template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const place = inPath.findIndex((one) => one.name === name);
      if (place === bad) return nonsenseSegment(this.#dice);
      const known = this.#dice.below(12) > 0 ? this.#pools.text(name, this.#dice) : undefined;
      return encodeURIComponent(
        known ?? String(values.of(inPath[place]?.schema ?? { type: 'string' }, name)),
      );
    });
  }

  #query(operation: DescribedOperation, values: Values, wrong: boolean): string {
    const inQuery = operation.parameters.filter((one) => one.in === 'query');
    const chosen = inQuery.filter((one) => one.required === true || this.#dice.below(5) === 0);
    const spoilt = wrong ? this.#dice.below(chosen.length) : -1;
    const pairs = chosen.flatMap((one, index) => this.#pairs(one, values, index === spoilt));
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  }

  #pairs({ name, schema }: Parameter, values: Values, wrong: boolean): string[] {
    const value = wrong ? nonsenseValue(this.#dice) : values.of(schema, name);
    const each = Array.isArray(value) ? value : [value];
    // Replaces lone surrogates, which cannot be percent-encoded.
    return each.map((one) => `${name}=${encodeURIComponent(String(one).toWellFormed())}`);
  }

  #body(
    { body, method }: DescribedOperation,
    values: Values,
    kind: RequestKind,
    wrong: boolean,
  ): string | undefined {
    if (kind === 'nonsense' && method !== 'GET') return nonsenseText(this.#dice);
    if (!body) return undefined;
    const made = values.of(body, 'body');
    return JSON.stringify(wrong ? damaged(made, this.#dice) : made);
  }
}
