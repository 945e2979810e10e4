import type { EntityChanges } from './entities.ts';
import type { FaultWords } from './words.ts';

/**
 * A form of the API: its base paths, media types and words. All dialects are served side by side, from the same
 * operations; the path of a request selects one.
 */
export interface Dialect {
  readonly name: string;
  readonly bases: {
    readonly legacy: string;
    readonly versioned: string;
    /** The base path of the OpenAPI documents. */
    readonly documents: string;
    readonly referencePage: string;
  };
  /** Title of its OpenAPI documents. */
  readonly title: string;
  /** The vendor tree of its media types: `service` in `application/vnd.service.2025-03-12+json`. */
  readonly mediaPrefix: string;
  /** Differences from the declared operations; absent if there are none. */
  readonly changes?: DialectChanges;
}

/** How a dialect differs from the operations as they are declared. */
export interface DialectChanges extends EntityChanges {
  readonly faults: FaultWords;
  /** By operation id. */
  readonly operations: Readonly<Record<string, OperationChange>>;
  readonly isLenient: boolean;
  /** Operations of this dialect that are not served: requests for them are answered with 501. */
  readonly unserved: readonly UnservedOperation[];
}

/** How one operation differs, in every version. */
export interface OperationChange {
  readonly status?: 200 | 201 | 202 | 204;
  /**
   * `all`: adds the contract's version, which operations with older versions otherwise lack. `contract`: the operation
   * has the shape of the contract's version on every date.
   */
  readonly versions?: 'all' | 'contract';
  /** Required fields of its body that a body of the dialect may lack; `prepare` adds them. */
  readonly optional?: readonly string[];
  /** Converts a valid body of the dialect to one that the operation accepts. */
  readonly prepare?: (body: unknown) => unknown;
}

export interface UnservedOperation {
  readonly method: string;
  /** A template without the base path. */
  readonly path: string;
  /** The resource family, as the error names it. */
  readonly family: string;
}

/** The form of docs/contract. */
export const neutralDialect: Dialect = {
  name: 'neutral',
  bases: {
    legacy: '/api/service/v1.0',
    versioned: '/api/service/v2',
    documents: '/api/service/openapi',
    referencePage: '/api/service/docs',
  },
  title: 'Project Administration API',
  mediaPrefix: 'service',
};
