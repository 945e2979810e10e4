import type { Readable } from 'node:stream';
import type { Fault } from '@portolan/foundation/faults';
import type { Static, TObject, TSchema } from 'typebox';
import type { Caller, Scope } from '../access/caller.ts';
import type { RolePhrase } from '../access/roles.ts';
import type { Actor } from '../events/index.ts';
import type { Page, PageRequest } from '../store/page.ts';
import type { ReadTx, Tx } from '../store/store.ts';
import type { ReleaseDate } from './versions.ts';

/**
 * An operation as data: from the list of all of them come the routes of both base paths, validation, the role check,
 * the OpenAPI documents, the links, the audit trail's name, the metrics' label and the coverage report.
 */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Names in braces of a path, as the contract writes it: `/groups/{groupId}/clusters/{clusterName}`. */
type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & PathParams<Rest>
  : unknown;

/** Whom an operation lets in: a role phrase of the contract, any caller with valid credentials, or everybody. */
export type Access = RolePhrase | 'any caller' | 'no credentials' | 'operator';

/** The shape of an operation in one version, where it differs from the operation's own. */
export interface ShapeChange<B = unknown, R = unknown> {
  readonly body?: TSchema;
  readonly reply?: TSchema;
  readonly status?: number;
  readonly access?: Access;
  /** Turns a body of this version into the operation's own shape. */
  readonly read?: (body: never) => B;
  /**
   * Turns an answer of the operation's own shape into this version's; for a list, each of its entities. It may be
   * given an entity of which only some fields are known (see `assertUnchanged`).
   */
  readonly write?: (reply: R) => unknown;
}

/** `'same'`: the operation's own shape. `'unavailable'`: exists in that version but is not served: 501. */
export type VersionShape<B, R> = 'same' | 'unavailable' | ShapeChange<B, R>;

/** By what an operation is known: the part that a planned one has from the catalogue (`planned/`). */
interface OperationName<Id extends string = string, Path extends string = string> {
  /** The contract's operation id. */
  readonly id: Id;
  readonly tag: string;
  readonly method: Method;
  /** Without the base path. */
  readonly path: Path;
  /** `service` (default): under both base paths; `operator`: an extension under `/operator/v1`. */
  readonly surface?: 'service' | 'operator';
}

/** What an operation does. */
export interface OperationRules<
  Services = unknown,
  Path extends string = string,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
  L extends ListKind = undefined,
> {
  readonly summary: string;
  readonly access: Access;
  /** What the handler asks for besides, where the body or the caller says on what; for the documents. */
  readonly bodyAccess?: { readonly role: RolePhrase; readonly of: string };
  /** Answers the fault to refuse with when the role is missing; `USER_UNAUTHORIZED` otherwise. */
  readonly refusal?: (params: PathParams<Path>) => Fault;
  /**
   * Versions whose shape is not the operation's own. It exists in these and in those of the catalogue; an operation
   * outside of the catalogue that names none, in the first and the newest.
   */
  readonly versions?: {
    readonly [Date in ReleaseDate]?: VersionShape<NoInfer<Static<B>>, NoInfer<Static<R>>>;
  };
  readonly rateLimited?: boolean;
  /**
   * Whether its document depends on path, query, version and what its handler reads by `call.read` alone: neither on
   * who asks, whom such a handler does not learn, nor on the time. The text is then kept until a table changes that it
   * was read from.
   */
  readonly sameForAll?: boolean;
  /** Its own query parameters; `envelope`, `pretty` and, for lists, the paging ones come by themselves. */
  readonly query?: Q;
  readonly body?: B;
  /** The answer's schema; for a list the schema of one entity. Absent: no document is answered. */
  readonly reply?: R;
  /** `page`: the paged wrapper of contract 2.1; `array`: a bare array. */
  readonly list?: L;
  readonly status: 200 | 201 | 202 | 204;
  /** Its answers are bytes of this form and no documents: the handler answers a `Download`. */
  readonly bytes?: 'gzip';
  /** Whether the handler may answer `NO_DOCUMENT`: 204 in the place of its status. */
  readonly mayBeEmpty?: boolean;
  /**
   * Entities that link here, as entity name → relation: `{ project: 'clusters' }`. A path parameter is filled from
   * the entity's own parameters. Entity names are those of `entity()` in the schemas.
   */
  readonly reachedFrom?: { readonly [entity: string]: string };
  /** The query of those links, where the operation cannot be asked without one. */
  readonly reachedWith?: { readonly [parameter: string]: string };
  handler(
    call: Call<Services, PathParams<Path>, Static<Q>, Static<B>>,
  ): Promise<Answer<L, Static<R>> | NoDocument | Download>;
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
  /** Marks an operation that stands in neither contract nor reference. */
  readonly extension?: boolean;
}

/** The answer of a handler that has no document to show this time. */
export const NO_DOCUMENT = Symbol('no document');
type NoDocument = typeof NO_DOCUMENT;

/** The answer of a handler whose operation declares `bytes`. They are read as fast as the caller takes them. */
export class Download {
  readonly stream: Readable;

  constructor(stream: Readable) {
    this.stream = stream;
  }
}

export type ListKind = 'page' | 'array' | undefined;

/** What a handler answers: a page, an array, one entity, or nothing where the operation has no reply. */
type Answer<L extends ListKind, R> = L extends 'page'
  ? Page<Given<R>>
  : L extends 'array'
    ? readonly Given<R>[]
    : unknown extends R
      ? // biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer returns nothing
        void
      : Given<R>;

/**
 * What a handler may give for a schema: nothing for an optional field, and no `links`, which the edge adds. A field
 * without a value is answered with its schema's default or left out.
 */
type Given<T> = unknown extends T
  ? T
  : T extends string | number | bigint | boolean | null | undefined | Date
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Given<Item>[]
      : { readonly [K in keyof T as K extends 'links' ? never : K]: Given<T[K]> | IfOptional<T, K> };

/** `undefined` and `null` for the optional fields of an object. */
type IfOptional<T, K extends keyof T> = object extends Pick<T, K> ? undefined | null : never;

/** One request, after every check that the operation's data describes. */
export interface Call<Services = unknown, P = unknown, Q = unknown, B = unknown> {
  readonly services: Services;
  readonly params: P;
  readonly query: Q;
  /** The body in the operation's own shape, without the read-only fields; see `schema/body-fields.ts`. */
  readonly body: B;
  /** Read-only fields that the body held, by dotted path: `assertUnchanged(call, entity)` compares them. */
  readonly readOnly: ReadonlyMap<string, unknown>;
  /** An entity as this caller is shown it, in the operation's own shape and in that of the version at hand. */
  present(entity: unknown): readonly unknown[];
  readonly caller: Caller;
  /** The project or organization of the path. */
  readonly scope: Scope | undefined;
  readonly version: ReleaseDate;
  readonly remoteAddress: string;
  readonly page: PageRequest;
  /** The caller as events name it. */
  readonly actor: Actor;
  /** Whether the caller holds what a role phrase asks for, on a scope that is not the path's. */
  may(phrase: RolePhrase, scope: Scope): boolean;
  read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T>;
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** Any operation, whatever its shapes: what the edge works with. */
// biome-ignore lint/suspicious/noExplicitAny: the list of all operations is heterogeneous; the handler's types are checked where it is declared
export type AnyOperation<Services = any> = Operation<Services, string, any, any, any, any>;

/** Fixes the type of the services, and lets the rest be inferred from the declaration. */
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

/** As `operationsOf`, for operations that stand in neither contract nor reference. */
export function extensionsOf<Services>() {
  const declare = operationsOf<Services>();
  return ((declaration) => declare({ ...declaration, extension: true })) as typeof declare;
}

/** What a name in a path stands for: how it is checked, and what it leads to. */
export interface PathParameter {
  readonly description: string;
  /** A JSON Schema pattern; the value is percent-decoded. */
  readonly pattern?: string;
  /** Fault for a value that breaks the pattern. */
  readonly malformed?: (value: string) => Fault;
  /** The project or organization that it names; operations below it check roles there. */
  readonly scope?: {
    load(tx: ReadTx, value: string): Promise<Scope | undefined>;
    missing(value: string): Fault;
  };
}
