import type { components, paths } from './service.generated.ts';

/**
 * Derives the types of requests and responses from the paths that pages pass to the functions of `resources.ts`. The
 * type of the path `/groups/${groupId}/teams` is `/groups/${string}/teams`, which has the shape `/groups/{}/teams`. The
 * path `/groups/{groupId}/teams` of the OpenAPI document has the same shape.
 */

/** The named types of bodies, such as `Cluster`. */
export type Schemas = components['schemas'];

export type Method = 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';

/**
 * The operations of the API, those that are reserved for the operator, and those for logins and sessions, by the shapes
 * of their paths.
 */
interface Surfaces {
  readonly api: ByShape<'/api/service/v2'>;
  readonly console: ByShape<'/console'>;
  readonly operator: ByShape<'/operator/v1'>;
}
export type Surface = keyof Surfaces;

type ByShape<Base extends string> = {
  [Path in keyof paths as Path extends `${Base}${infer Rest}` ? ShapeOfTemplate<Rest> : never]: paths[Path];
};

/** `/groups/{groupId}/teams` → `/groups/{}/teams` */
type ShapeOfTemplate<Path extends string> = Path extends `${infer Start}{${string}}${infer Rest}`
  ? `${Start}{}${ShapeOfTemplate<Rest>}`
  : Path;

/** `/groups/${string}/teams?name=a` → `/groups/{}/teams` */
type ShapeOf<Path extends string> = Path extends `${infer Place}?${string}` ? PartsOf<Place> : PartsOf<Path>;

type PartsOf<Path extends string> = Path extends `${infer Part}/${infer Rest}`
  ? `${PartOf<Part>}/${PartsOf<Rest>}`
  : PartOf<Path>;

/** A part can end with a verb or a file extension, as in `${string}:resend` and `${string}.gz`. */
type PartOf<Part extends string> = string extends Part
  ? '{}'
  : Part extends `${infer Name}:${infer Verb}`
    ? `${PartOf<Name>}:${Verb}`
    : Part extends `${infer Name}.${infer Extension}`
      ? `${PartOf<Name>}.${Extension}`
      : Part;

/** The operation with a method and a path. The type is `never` if the service has no such operation. */
type OperationAt<S extends Surface, M extends Method, Path extends string> =
  ShapeOf<Path> extends infer Shape
    ? Shape extends keyof Surfaces[S]
      ? MemberOf<Surfaces[S][Shape], Lowercase<M>>
      : never
    : never;

type MemberOf<Item, Name> = Name extends keyof Item
  ? Extract<Item[Name], { readonly responses: unknown }>
  : never;

/** The path itself if the service has the operation with its parameters; otherwise a text that says what is wrong. */
export type Served<S extends Surface, M extends Method, Path extends string> = Path extends string
  ? [OperationAt<S, M, Path>] extends [never]
    ? `The service has no operation ${M} ${Path}`
    : Exclude<ParametersIn<Path>, keyof QueryOf<OperationAt<S, M, Path>>> extends never
      ? Path
      : `The operation has no parameter ${Exclude<ParametersIn<Path>, keyof QueryOf<OperationAt<S, M, Path>>>}`
  : never;

/** The names of the query parameters in a path. */
type ParametersIn<Path extends string> = Path extends `${string}?${infer Query}` ? NamesIn<Query> : never;
type NamesIn<Query extends string> = Query extends `${infer Parameter}&${infer Rest}`
  ? NamesIn<Parameter> | NamesIn<Rest>
  : Query extends `${infer Name}=${string}`
    ? Name
    : never;

type QueryOf<Operation> = Operation extends { readonly parameters: { readonly query?: infer Query } }
  ? NonNullable<Query>
  : Record<never, never>;

/** The body of a successful response. */
export type Reply<S extends Surface, M extends Method, Path extends string> = ContentOf<
  OperationAt<S, M, Path>
>;

type ContentOf<Operation> = Operation extends { readonly responses: infer Responses }
  ? BodyOf<Responses[keyof Responses]>
  : never;

type BodyOf<Message> = Message extends { readonly content: infer Content }
  ? Content[keyof Content]
  : undefined;

/** An entry of a list. */
type EntryOf<List> = List extends { readonly results: readonly (infer Entry)[] }
  ? Entry
  : List extends readonly (infer Entry)[]
    ? Entry
    : never;

/** An entry of a list of the API. */
export type ApiEntry<Path extends string> = EntryOf<Reply<'api', 'GET', Path>>;

/** An entry of a list for operators. */
export type OperatorEntry<Path extends string> = EntryOf<Reply<'operator', 'GET', Path>>;

/** The body of a request. */
type BodyIn<Operation> = Operation extends { readonly requestBody?: infer Message }
  ? Draft<BodyOf<NonNullable<Message>>>
  : never;

/**
 * The type of a body that a form fills in. A choice can be any string, and an optional field can be undefined. The
 * service checks the values.
 */
type Draft<Value> = Value extends string
  ? string
  : Value extends readonly (infer Entry)[]
    ? readonly Draft<Entry>[]
    : Value extends object
      ? { [Field in keyof Value]: Draft<Value[Field]> | IfOptional<Value, Field> }
      : Value;

type IfOptional<Value, Field extends keyof Value> =
  Record<never, never> extends Pick<Value, Field> ? undefined : never;

/** The body of a request, as the last argument of a function; none if the operation has no body. */
export type BodyArgument<S extends Surface, M extends Method, Path extends string> =
  OperationAt<S, M, Path> extends infer Operation
    ? Operation extends { readonly requestBody: unknown }
      ? [body: BodyIn<Operation>]
      : Operation extends { readonly requestBody?: unknown }
        ? [body?: BodyIn<Operation>]
        : []
    : never;
