import type { RawDocument } from '../../bson/raw.ts';
import type { Element, Value } from '../../bson/value.ts';
import type { Environment } from '../environment.ts';
import type { Pipeline } from './pipeline.ts';
import type { Namespace, PipelineEnvironment } from './pipeline-environment.ts';
import type { CheckPosition } from './position.ts';
import type { StageAccess } from './stage-access.ts';

/** Transforms documents, lazily where possible. */
export interface Stage {
  (docs: Iterable<RawDocument>): Iterable<RawDocument>;
  /** The only fields of incoming documents that it reads; any if absent. */
  readonly fields?: ReadonlySet<string> | undefined;
}

/** The context in which a stage is compiled. */
export interface StageContext {
  /** The environment of its expressions. */
  readonly environment: Environment;
  readonly pipelineEnvironment: PipelineEnvironment;
  /** The position in the pipeline, from 0. */
  readonly position: number;
  /** The next stage, which may limit the work needed. */
  readonly next?: Element | undefined;
  /** The enclosing stage; undefined for the outermost pipeline. */
  readonly inside?: string | undefined;
  /** Compiles a nested pipeline. */
  compile(specs: readonly RawDocument[], options: InnerOptions): Pipeline;
  /** The descriptor of a stage by name. */
  describe(name: string): StageDescriptor | undefined;
}

interface InnerOptions {
  /** The name of the enclosing stage. */
  readonly inside: string;
  readonly environment?: Environment;
  /** The collection that the stage reads; if absent, the enclosing stage provides the documents. */
  readonly reads?: Namespace | undefined;
}

/** Validates and compiles a stage; throws the server's error for an invalid specification. */
export type CompileStage = (spec: Value, context: StageContext) => Stage;

/**
 * The descriptor of a stage. All fields are required, so that a new stage must define each of them, or share the facts of
 * similar stages (`stage-facts.ts`), and commands need no lists of stage names.
 */
export interface StageDescriptor {
  /** `byCommand`: `aggregate` runs it as part of a change stream; unknown in any other pipeline. */
  readonly compile: CompileStage | 'byCommand';
  /**
   * The origin of its documents: the stages before it, the collection, the namespace (a view itself, not its
   * collection), or neither, which requires `{aggregate: 1}`.
   */
  readonly source: 'input' | 'collection' | 'namespace' | 'noCollection';
  /** Throws if its position is not allowed. */
  readonly position: CheckPosition;
  readonly within: StageWithin;
  readonly metadata: StageMetadata;
  readonly fusion: FusionRole;
  readonly access: StageAccess;
  /**
   * `local` and `majority`: as the first stage, the only allowed level; `notLinearizable`: as the last stage,
   * every level but that one.
   */
  readonly readConcern: 'any' | 'local' | 'majority' | 'notLinearizable';
  /** True if `planCacheShapeHash` of an explained pipeline depends on it. */
  readonly shapesPlan: boolean;
  /** True if the stage belongs to API Version 1, possibly depending on its options. */
  readonly stableApi: boolean | ((stage: Element) => boolean);
}

/** The pipelines that may contain a stage. */
export interface StageWithin {
  readonly facet: boolean;
  /** Pipelines of other stages. `refused` has specific error codes in `$lookup` and `$unionWith`. */
  readonly stages: 'allowed' | 'refused' | 'notInLookup' | 'needsNoCollection';
  readonly view: 'allowed' | 'refused' | 'needsNoCollection';
  readonly update: boolean | ((stage: Element) => boolean);
  /** After `$changeStream`: stages that produce at most one document for each. */
  readonly changeStream: boolean | ((stage: Element) => boolean);
  /** Allowed in transactions, as it accesses only the snapshot. */
  readonly transaction: boolean;
}

export interface StageMetadata {
  /** The document metadata that the stage provides; `first`: the stage is the first stage. */
  provides(stage: Element, first: boolean): readonly string[];
  /** True if each output document derives from an input document, whose metadata it keeps. */
  readonly carries: boolean;
}

/**
 * The role in inputs of `$rankFusion` and `$scoreFusion`: a stage alters documents, is a fusion itself, or
 * selects and sorts documents without altering them.
 */
export type FusionRole = 'alters' | 'fuses' | FusionInput;

export interface FusionInput {
  /** False if the stage's options make it alter documents. */
  leavesAsTheyAre(stage: Element): boolean;
  /** The positions in which it makes the input count as ranked. */
  readonly ranks: 'first' | 'anywhere' | 'nowhere';
  /** The positions in which it makes the input count as scored. */
  readonly scores: 'first' | 'anywhere' | 'nowhere';
  /** For a stage that sorts documents: tests whether two successive documents share a rank. */
  readonly ties: ((stage: Element, environment: Environment) => SameRank) | undefined;
}

export type SameRank = (a: RawDocument, b: RawDocument) => boolean;

export type StageTable = Readonly<Record<string, StageDescriptor>>;
