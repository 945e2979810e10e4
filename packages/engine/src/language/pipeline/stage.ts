import type { RawDocument } from '../../bson/raw.ts';
import type { Element, Value } from '../../bson/value.ts';
import type { Environment } from '../expression/environment.ts';
import type { Pipeline } from './pipeline.ts';
import type { Namespace, PipelineEnvironment } from './pipeline-environment.ts';
import type { CheckPosition } from './position.ts';
import type { StageAccess } from './stage-access.ts';

/** Takes documents in and gives documents out, one at a time where it can. */
export interface Stage {
  (docs: Iterable<RawDocument>): Iterable<RawDocument>;
  /** The only fields of documents that come in that it looks at; absent: it may be any. */
  readonly fields?: ReadonlySet<string> | undefined;
}

/** What a stage may use while it is compiled. */
export interface StageContext {
  /** What expressions of the stage see besides the document. */
  readonly environment: Environment;
  readonly pipelineEnvironment: PipelineEnvironment;
  /** Position in its pipeline, the first is 0. */
  readonly position: number;
  /** The stage after it, for those that can do less when they know what is asked of them. */
  readonly next?: Element | undefined;
  /** The stage whose pipeline this is in; none for the outermost pipeline. */
  readonly inside?: string | undefined;
  /** Compiles a pipeline inside of the stage. */
  compile(specs: readonly RawDocument[], options: InnerOptions): Pipeline;
  /** What is known of a stage of that name. */
  describe(name: string): StageDescriptor | undefined;
}

interface InnerOptions {
  /** The name of the stage that has the pipeline. */
  readonly inside: string;
  readonly environment?: Environment;
  /** Whose documents come in; absent: those that the stage itself gives. */
  readonly reads?: Namespace | undefined;
}

/** Checks the specification of one stage; throws what the server answers to a wrong one. */
export type CompileStage = (spec: Value, context: StageContext) => Stage;

/**
 * Everything that the engine knows of a stage. No field is optional: whoever adds a stage answers every question, and
 * commands ask here instead of keeping lists of names.
 */
export interface StageDescriptor {
  /** `byCommand`: `aggregate` runs it, as part of a change stream; in all other pipelines it is unknown. */
  readonly compile: CompileStage | 'byCommand';
  /**
   * Where its documents come from: those before it; or it makes its own, out of the collection, out of what the
   * namespace is (a view's is not that of the collection below it), or out of neither, over `{aggregate: 1}` alone.
   */
  readonly source: 'input' | 'collection' | 'namespace' | 'noCollection';
  /** Throws where it cannot stand. */
  readonly position: CheckPosition;
  readonly within: StageWithin;
  readonly metadata: StageMetadata;
  readonly fusion: FusionRole;
  readonly access: StageAccess;
  /**
   * `local` and `majority`: where it is the first, at no other level; `notLinearizable`: where it is the last, at all
   * but one.
   */
  readonly readConcern: 'any' | 'local' | 'majority' | 'notLinearizable';
  /** Whether `planCacheShapeHash` of an explained pipeline depends on it. */
  readonly shapesPlan: boolean;
  /** Whether it is in API Version 1, or whether it is with these options. */
  readonly stableApi: boolean | ((stage: Element) => boolean);
}

/** Which pipelines may hold a stage. */
export interface StageWithin {
  readonly facet: boolean;
  /** Those of other stages. `refused` has codes of its own in `$lookup` and in `$unionWith`. */
  readonly stages: 'allowed' | 'refused' | 'notInLookup' | 'needsNoCollection';
  readonly view: 'allowed' | 'refused' | 'needsNoCollection';
  readonly update: boolean | ((stage: Element) => boolean);
  /** Behind `$changeStream`: stages that make one document or none of each. */
  readonly changeStream: boolean | ((stage: Element) => boolean);
  /** Of a transaction: none that reads or writes more than a snapshot has. */
  readonly transaction: boolean;
}

export interface StageMetadata {
  /** What it tells about documents besides their fields; `first`: it begins its pipeline. */
  gives(stage: Element, first: boolean): readonly string[];
  /** Whether each document comes from one that came in, of which it keeps what is known. */
  readonly carries: boolean;
}

/**
 * In the inputs of `$rankFusion` and `$scoreFusion`: a stage changes documents, is one of those two itself, or chooses
 * and orders documents and leaves them as they are.
 */
export type FusionRole = 'alters' | 'fuses' | FusionInput;

export interface FusionInput {
  /** False where its options make it change documents. */
  leavesAsTheyAre(stage: Element): boolean;
  /** Where it has to stand so that the input counts as ranked. */
  readonly ranks: 'first' | 'anywhere' | 'nowhere';
  /** The same for scored. */
  readonly scores: 'first' | 'anywhere' | 'nowhere';
  /** For a stage that orders documents: which of two that follow each other share a rank. */
  readonly ties: ((stage: Element, environment: Environment) => SameRank) | undefined;
}

export type SameRank = (a: RawDocument, b: RawDocument) => boolean;

export type StageTable = Readonly<Record<string, StageDescriptor>>;
