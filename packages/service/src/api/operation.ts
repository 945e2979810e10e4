import type { Readable } from 'node:stream';
import type { Fault } from '@portolan/foundation/faults';
import type { Static, TObject, TSchema } from 'typebox';
import type { Caller, Scope, Session } from '../access/caller.ts';
import type { RolePhrase } from '../access/roles.ts';
import type { Actor } from '../events/index.ts';
import type { Page, PageRequest } from '../store/page.ts';
import type { ReadTx, Tx } from '../store/store.ts';
import type { Support } from './support.ts';
import type { ReleaseDate } from './versions.ts';

/**
 * This file defines how an operation is declared as data. From the list of operations, the service derives the routes
 * below both base paths, the validation, the role checks, the OpenAPI documents, the links, and the names in the audit
 * trail and in metrics. The coverage report is derived from the list, too.
 */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The parameters of a path template: `/groups/{groupId}/clusters/{clusterName}`. */
type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & PathParams<Rest>
  : unknown;

/**
 * Who may call an operation: callers with a role that satisfies this phrase of the contract, any caller with
 * valid credentials, everyone, or the operator.
 */
export type Access = RolePhrase | 'any caller' | 'no credentials' | 'operator';

/**
 * How the body and the reply of an operation in one version differ from those that its declaration contains
 * (the operation's own shape).
 */
export interface ShapeChange<B = unknown, R = unknown> {
  readonly body?: TSchema;
  readonly reply?: TSchema;
  readonly status?: number;
  readonly access?: Access;
  /** Converts a body of this version to the operation's own shape. */
  readonly read?: (body: never) => B;
  /**
   * Converts a reply from the operation's own shape to this version. For a list, each entity is converted. The entity
   * may be partial (see `repeatable`).
   */
  readonly write?: (reply: R) => unknown;
}

/**
 * `'same'`: the version has the operation's own shape. `'unavailable'`: the version exists, but requests for it return
 * 501.
 */
export type VersionShape<B, R> = 'same' | 'unavailable' | ShapeChange<B, R>;

/** The id, method and path of an operation. */
interface OperationName<Id extends string = string, Path extends string = string> {
  /** The contract's operation id. */
  readonly id: Id;
  readonly tag: string;
  readonly method: Method;
  /** The path template, without the base path. */
  readonly path: Path;
  /** `service` (default): under both base paths; `operator`: an extension under `/operator/v1`. */
  readonly surface?: 'service' | 'operator';
  /** Whether the operation exists in the neutral dialect only. */
  readonly isNeutralOnly?: boolean;
}

/** A request header that sets a flag for the handler if its value is `true`. */
export interface FlagHeader {
  readonly flag: Flag;
  /** The name of the header, such as `Use-Effective-Instance-Fields`. */
  readonly header: string;
  readonly description: string;
  /** The first version whose documents name the header. */
  readonly since: ReleaseDate;
}

/**
 * `keepsRequest`: The cluster shows the sizes and disks as requested, next to the current ones. `keepsSpecs`: The cluster
 * shows the whole `replicationSpecs` as requested. `loadsVendorData`: The sample data have the vendor's names and shapes.
 */
export type Flag = 'keepsRequest' | 'keepsSpecs' | 'loadsVendorData';

/** The rules and the handler of an operation. */
interface OperationRules<
  Services = unknown,
  Path extends string = string,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
  L extends ListKind = undefined,
> {
  readonly summary: string;
  readonly access: Access;
  /**
   * A further role that the handler checks itself, because the scope of this role depends on the body or the caller.
   * The declaration only adds the role to the documents.
   */
  readonly bodyAccess?: { readonly role: RolePhrase; readonly of: string };
  /** Returns the fault for a missing role; by default `USER_UNAUTHORIZED`. */
  readonly refusal?: (params: PathParams<Path>) => Fault;
  /** All versions in which the operation exists; by default the first and the newest, in the operation's own shape. */
  readonly versions?: {
    readonly [Date in ReleaseDate]?: VersionShape<NoInfer<Static<B>>, NoInfer<Static<R>>>;
  };
  /** Whether the legacy path v1.0 lacks the operation although the first version has it. */
  readonly absentInLegacy?: boolean;
  readonly rateLimited?: boolean;
  /**
   * Whether the response is the same for all callers at all times. It may depend only on path, query, version and the
   * rows that the handler reads with `call.read`. The handler gets no information about the caller. The response is
   * cached until one of the tables that the handler has read changes.
   */
  readonly sameForAll?: boolean;
  /** Returns the support of a version. Only dialects declare it; by default, the rules of the contract apply. */
  readonly support?: (version: ReleaseDate) => Support;
  /** Request headers that affect the response. Only dialects declare such headers. */
  readonly flags?: readonly FlagHeader[];
  /** Flags that are set for every request. Only dialects declare them. */
  readonly sets?: readonly Flag[];
  /** Query parameters other than `envelope`, `pretty` and, for lists, the paging parameters. */
  readonly query?: Q;
  readonly body?: B;
  /** Schema of the response, or of one entity if the response is a list. Absent if there is no response body. */
  readonly reply?: R;
  /** `page`: the paginated wrapper (docs/contract/api.md 2.1); `array`: a bare array. */
  readonly list?: L;
  readonly status: 200 | 201 | 202 | 204;
  /** The response is a stream of this format, which the handler returns as a `Download`. */
  readonly bytes?: 'event-stream' | 'gzip' | 'text';
  /** Whether the handler may return `NO_DOCUMENT`, which is sent as 204. */
  readonly mayBeEmpty?: boolean;
  /**
   * Entities whose documents link to this operation, as entity name → relation: `{ project: 'clusters' }`. The path
   * parameters come from the entity. Entity names are those of `entity()` in the schemas.
   */
  readonly reachedFrom?: { readonly [entity: string]: string };
  /** Query parameters of links to this operation, if the operation requires any. */
  readonly reachedWith?: { readonly [parameter: string]: string };
  /**
   * Whether a request with this body changes nothing. By default, each request may change something, unless its method
   * is GET.
   */
  readonly onlyReads?: (body: NoInfer<Static<B>>) => boolean;
  /**
   * Returns the entity whose values the read-only fields of a body must repeat. Other values are rejected with
   * `ATTRIBUTE_READ_ONLY`. By default, PUT and PATCH use the entity that GET on the same path returns, and POST uses
   * the parameters of the path.
   */
  repeatable?(call: Call<Services, PathParams<Path>, Static<Q>, Static<B>>): object | Promise<object>;
  handler(
    call: Call<Services, PathParams<Path>, Static<Q>, Static<B>>,
  ): Promise<Answer<L, Static<R>> | LargeReply<Answer<L, Static<R>>> | NoDocument | Download>;
}

export interface Operation<
  Services = unknown,
  Path extends string = string,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
  L extends ListKind = undefined,
> extends OperationName<string, Path>,
    OperationRules<Services, Path, Q, B, R, L> {
  /** Marks an extension: an operation that Portolan adds to the contract. */
  readonly extension?: boolean;
}

/** Returned by a handler that has no document to send. */
export const NO_DOCUMENT = Symbol('no document');
type NoDocument = typeof NO_DOCUMENT;

/**
 * The result of a handler whose operation declares `bytes`. The service reads the stream only as fast as the client
 * receives it.
 */
export class Download {
  readonly stream: Readable;

  constructor(stream: Readable) {
    this.stream = stream;
  }
}

/**
 * A result that the pipeline must still compute. The pipeline computes only a few such results at the same time, so
 * that their total memory is limited. `bytes` is the size of the data from which it is computed, or undefined if `make`
 * reads them.
 */
export class LargeReply<T = unknown> {
  readonly bytes: number | undefined;
  readonly make: () => Promise<T>;

  constructor(bytes: number | undefined, make: () => Promise<T>) {
    this.bytes = bytes;
    this.make = make;
  }
}

export type ListKind = 'page' | 'array' | undefined;

/** What a handler returns: a page, an array, one entity, or undefined if the operation has no reply. */
type Answer<L extends ListKind, R> = L extends 'page'
  ? Page<Given<R>>
  : L extends 'array'
    ? readonly Given<R>[]
    : unknown extends R
      ? // biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer returns nothing
        void
      : Given<R>;

/**
 * What a handler may return for a schema. Optional fields may be undefined, and the HTTP layer adds `links`.
 * It sends the schema's default for a field without a value, or omits the field.
 */
type Given<T> = unknown extends T
  ? T
  : T extends string | number | bigint | boolean | null | undefined | Date
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Given<Item>[]
      : { readonly [K in keyof T as K extends 'links' ? never : K]: Given<T[K]> | IfOptional<T, K> };

/** Allows `undefined` and `null` for the optional fields of an object. */
type IfOptional<T, K extends keyof T> = object extends Pick<T, K> ? undefined | null : never;

/** A request that passed all checks declared by its operation. */
export interface Call<Services = unknown, P = unknown, Q = unknown, B = unknown> {
  readonly services: Services;
  readonly params: P;
  readonly query: Q;
  /** The body in the operation's own shape, without the read-only fields; see `schema/body-fields.ts`. */
  readonly body: B;
  /** Returns the body as it was sent. */
  readonly bodyText: () => string;
  readonly caller: Caller;
  /** The project or organization of the path. */
  readonly scope: Scope | undefined;
  readonly version: ReleaseDate;
  readonly remoteAddress: string;
  /** The flags that the headers of the request set. */
  readonly flags: readonly Flag[];
  /** The header `Last-Event-ID`, with which a reader of an event stream resumes. */
  readonly lastEventId: string | undefined;
  /** The session of the caller, if the caller has one. */
  readonly session: Session | undefined;
  readonly page: PageRequest;
  /** The caller in the form in which events record it. */
  readonly actor: Actor;
  /** Whether the caller satisfies a role phrase on a scope other than the path's. */
  may(phrase: RolePhrase, scope: Scope): boolean;
  read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T>;
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** An operation of any type. */
// biome-ignore lint/suspicious/noExplicitAny: the list of all operations is heterogeneous; the handler's types are checked where it is declared
export type AnyOperation<Services = any> = Operation<Services, string, any, any, any, any>;

/**
 * Returns a function that declares operations whose handlers use these `Services`. The function infers the
 * other types of an operation.
 */
export function operationsOf<Services>() {
  return <
    const Path extends string,
    Q extends TObject = TObject<Record<never, never>>,
    B extends TSchema = TSchema,
    R extends TSchema = TSchema,
    const L extends ListKind = undefined,
  >(
    declaration: Operation<Services, Path, Q, B, R, L>,
  ): Operation<Services, Path, Q, B, R, L> => declaration;
}

/**
 * Returns a function that declares extensions. It has the same arguments as the function that `operationsOf`
 * returns.
 */
export function extensionsOf<Services>() {
  const declare = operationsOf<Services>();
  return ((declaration) => declare({ ...declaration, extension: true })) as typeof declare;
}

/** A path parameter: how its value is checked, and which scope it names. */
export interface PathParameter {
  readonly description: string;
  /** A JSON Schema pattern; the value is percent-decoded. */
  readonly pattern?: string;
  /** Returns the fault for a value that does not match the pattern. */
  readonly malformed?: (value: string) => Fault;
  /** The project or organization that the value names; roles are checked on it. */
  readonly scope?: {
    load(tx: ReadTx, value: string): Promise<Scope | undefined>;
    missing(value: string): Fault;
  };
}
