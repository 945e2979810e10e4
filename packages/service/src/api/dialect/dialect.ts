import type { Flag, FlagHeader } from '../operation.ts';
import type { Support } from '../support.ts';
import type { ReleaseDate } from '../versions.ts';
import type { EntityChanges } from './entities.ts';
import type { FaultWords } from './words.ts';

/**
 * A form of the API: its base paths, media types and words. All dialects are served from the same operations at the
 * same time; the path of a request selects the dialect.
 */
export interface Dialect {
  readonly name: string;
  readonly bases: {
    readonly legacy: string;
    /** Further paths without versions, each with the version whose shapes it serves. */
    readonly dated?: Readonly<Record<string, ReleaseDate>>;
    readonly versioned: string;
    /** The path below which the OpenAPI documents are served. */
    readonly documents: string;
    readonly referencePage: string;
  };
  /** Title of its OpenAPI documents. */
  readonly title: string;
  /** The vendor tree of its media types: `service` in `application/vnd.service.2025-03-12+json`. */
  readonly mediaPrefix: string;
  /** The differences from the declared operations; absent if there are none. */
  readonly changes?: DialectChanges;
}

/** How a dialect differs from the operations as they are declared. */
export interface DialectChanges extends EntityChanges {
  readonly faults: FaultWords;
  /** The changes of operations, by operation id. */
  readonly operations: Readonly<Record<string, OperationChange>>;
  readonly isLenient: boolean;
  /**
   * Returns the support of a version of an operation, whose versions are `dates`, oldest first. By default, the rules of
   * the contract apply.
   */
  readonly support?: (id: string, version: ReleaseDate, dates: readonly ReleaseDate[]) => Support;
  /** Former names of segments, which paths without versions can still have: `{ former: 'present' }`. */
  readonly formerSegments?: Readonly<Record<string, string>>;
  /** Operations that the dialect names but does not serve: requests for them get 501. */
  readonly unserved: readonly UnservedOperation[];
}

/** How the dialect changes one operation, in every version. */
export interface OperationChange {
  readonly status?: 200 | 201 | 202 | 204;
  /**
   * The versions in which the operation exists. By default, an operation with older versions does not exist in the
   * newest version of the dialect, because the vendor's API lacks the contract's newest shapes. `all`: the operation
   * also exists in the newest version. `contract`: on every release date, the operation has the shape of the newest
   * version.
   */
  readonly versions?: 'all' | 'contract';
  /** The first version of the operation in this dialect. By default, the first version that the operation declares. */
  readonly from?: ReleaseDate;
  /** The reply is the field `field` of the handler's result, and has the schema of another operation's reply. */
  readonly replyIn?: { readonly field: string; readonly like: string };
  /** Request headers that the operation has in this dialect only. */
  readonly flags?: readonly FlagHeader[];
  /** Flags that are set for every request in this dialect. */
  readonly sets?: readonly Flag[];
  /** Required fields of the body that callers of the dialect may omit. `prepare` adds them. */
  readonly optional?: readonly string[];
  /** Converts a valid body of the dialect to a body that the operation accepts. */
  readonly prepare?: (body: unknown) => unknown;
  /** Documents with which the dialect replies in place of faults, by the code of the fault. */
  readonly instead?: Readonly<Record<string, object>>;
  /** An operation with the same parameters, which replies in place of a fault with this code. */
  readonly otherwise?: { readonly code: string; readonly operation: string };
  /** Paths of optional fields that the response omits, such as `version.createdAt`. */
  readonly omits?: readonly string[];
  /** Lists that the response omits if they are empty. */
  readonly omitsEmpty?: readonly string[];
}

export interface UnservedOperation {
  readonly method: string;
  /** A path template, without the base path. */
  readonly path: string;
  /** The resource family, as the error names it. */
  readonly family: string;
}

/** The dialect that docs/contract specifies. */
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
