import type { RawDocument } from '../../bson/raw.ts';
import type { Element, Value } from '../../bson/value.ts';
import type { Environment } from '../environment.ts';
import type { Filter } from '../filter/filter.ts';
import type { Pipeline } from './pipeline.ts';
import type { Namespace, PipelineEnvironment } from './pipeline-environment.ts';
import type { CheckPosition } from './position.ts';
import type { StageAccess } from './stage-access.ts';

/** Transforms documents, lazily if possible. */
export interface Stage {
  (docs: Iterable<RawDocument>): Iterable<RawDocument>;
  /** The fields of incoming documents that the stage reads; absent if it may read any field. */
  readonly fields?: ReadonlySet<string> | undefined;
}

/** The context in which a stage is compiled. */
export interface StageContext {
  /** The environment of the stage's expressions. */
  readonly environment: Environment;
  readonly pipelineEnvironment: PipelineEnvironment;
  /** The index of the stage in its pipeline. */
  readonly position: number;
  /** The compiled filter, if the stage is a `$match` at the start of its pipeline. */
  readonly filter?: Filter | undefined;
  /** The number of pipelines around that of the stage. */
  readonly depth: number;
  /** The next stage, which may reduce the work: a `$limit` after a `$sort`, for example. */
  readonly next?: Element | undefined;
  /** The enclosing stage; undefined for the outermost pipeline. */
  readonly inside?: string | undefined;
  /** Compiles a nested pipeline. */
  compile(specs: readonly RawDocument[], options: InnerOptions): Pipeline;
  /** Returns the descriptor of the stage with this name. */
  describe(name: string): StageDescriptor | undefined;
}

interface InnerOptions {
  /** The name of the enclosing stage. */
  readonly inside: string;
  readonly environment?: Environment;
  /** The collection that the nested pipeline reads; if absent, the enclosing stage provides the documents. */
  readonly reads?: Namespace | undefined;
}

/** Validates and compiles a stage; throws the server's error for an invalid specification. */
export type CompileStage = (spec: Value, context: StageContext) => Stage;

/**
 * The descriptor of a stage. All fields are required, so that a new stage must define each of them or share those of
 * similar stages (`stage-facts.ts`). Other code therefore needs no lists of stage names.
 */
export interface StageDescriptor {
  /**
   * `byCommand`: the command `aggregate` itself runs the stage, as part of a change stream. In other pipelines, the
   * stage is unknown.
   */
  readonly compile: CompileStage | 'byCommand';
  /**
   * Where the stage reads from. `input` means the previous stages, and `collection` the collection of the
   * command. `namespace` also means the collection of the command, but a view is not replaced by its
   * collection. `noCollection` means no collection, which requires `{aggregate: 1}`.
   */
  readonly source: 'input' | 'collection' | 'namespace' | 'noCollection';
  /** Throws if the stage is not allowed at its position. */
  readonly position: CheckPosition;
  readonly within: StageWithin;
  readonly metadata: StageMetadata;
  readonly fusion: FusionRole;
  readonly access: StageAccess;
  /**
   * The read concern levels that the stage allows. A first stage with `local` or `majority` allows only that level. A
   * last stage with `notLinearizable` allows every level except `linearizable`.
   */
  readonly readConcern: 'any' | 'local' | 'majority' | 'notLinearizable';
  /** True if the stage is part of `planCacheShapeHash` in the output of `explain`. */
  readonly shapesPlan: boolean;
  /** True if the stage belongs to API Version 1; a function if this depends on the options of the stage. */
  readonly stableApi: boolean | ((stage: Element) => boolean);
}

/** The pipelines that may contain a stage. */
export interface StageWithin {
  readonly facet: boolean;
  /**
   * Whether pipelines of other stages may contain the stage. `refused`: `$lookup` (51047) and `$unionWith` (31441)
   * reject the stage. `notInLookup`: only `$lookup` rejects it. `needsNoCollection`: it is rejected where the pipeline
   * runs on a collection.
   */
  readonly stages: 'allowed' | 'refused' | 'notInLookup' | 'needsNoCollection';
  readonly view: 'allowed' | 'refused' | 'needsNoCollection';
  readonly update: boolean | ((stage: Element) => boolean);
  /** True if the stage may follow `$changeStream`, because it produces at most one document per input document. */
  readonly changeStream: boolean | ((stage: Element) => boolean);
  /** True if the stage may run in a transaction, because it reads only the snapshot. */
  readonly transaction: boolean;
}

export interface StageMetadata {
  /** The document metadata that the stage provides. `first` is true for the first stage of a pipeline. */
  provides(stage: Element, first: boolean): readonly string[];
  /** True if each output document derives from one input document and inherits its metadata. */
  readonly carries: boolean;
}

/**
 * The role of the stage in inputs of `$rankFusion` and `$scoreFusion`: it alters documents, is a fusion itself, or
 * selects and sorts documents without altering them.
 */
export type FusionRole = 'alters' | 'fuses' | FusionInput;

export interface FusionInput {
  /** False if the stage alters documents. This may depend on the options of the stage. */
  leavesAsTheyAre(stage: Element): boolean;
  /** The positions in an input pipeline at which the stage ranks documents. */
  readonly ranks: 'first' | 'anywhere' | 'nowhere';
  /** The positions in an input pipeline at which the stage scores documents. */
  readonly scores: 'first' | 'anywhere' | 'nowhere';
  /** For a stage that sorts documents, returns a test of whether two successive documents have the same rank. */
  readonly ties: ((stage: Element, environment: Environment) => SameRank) | undefined;
}

export type SameRank = (a: RawDocument, b: RawDocument) => boolean;

export type StageTable = Readonly<Record<string, StageDescriptor>>;
