import type { RawDocument } from '../../bson/raw.ts';
import type { Element, Value } from '../../bson/value.ts';
import type { Environment } from '../expression/environment.ts';
import type { Filter } from '../filter/filter.ts';
import type { Namespace, PipelineSurroundings } from './surroundings.ts';

/** Takes documents in and gives documents out, one at a time where it can. */
export type Stage = (docs: Iterable<RawDocument>) => Iterable<RawDocument>;

/** What a stage may use while it is compiled. */
export interface StageContext {
  /** What expressions of the stage see besides the document. */
  readonly environment: Environment;
  readonly surroundings: PipelineSurroundings;
  /** Position in its pipeline, the first is 0. */
  readonly position: number;
  /** How many stages follow it. */
  readonly following: number;
  /** The stage after it, for those that can do less when they know what is asked of them. */
  readonly next?: Element | undefined;
  /** The stage whose pipeline this is in; none for the outermost pipeline. */
  readonly inside?: string | undefined;
  /** Compiles a pipeline inside of the stage. */
  compile(specs: readonly RawDocument[], options: InnerOptions): Pipeline;
}

export interface InnerOptions {
  /** The name of the stage that has the pipeline. */
  readonly inside: string;
  readonly environment?: Environment;
  /** Whose documents come in; absent: those that the stage itself gives. */
  readonly reads?: Namespace | undefined;
}

/** Checks the specification of one stage; throws what the server answers to a wrong one. */
export type CompileStage = (spec: Value, context: StageContext) => Stage;

export type StageTable = Readonly<Record<string, CompileStage>>;

/** A compiled pipeline. */
export interface Pipeline {
  /** The condition of a `$match` at the beginning: where to look for documents. The stages still ask it. */
  readonly filter: Filter | undefined;
  /** The first stage makes documents of its own; those that come in are not looked at. */
  readonly ownSource: boolean;
  /** The order of a `$sort` at the beginning, or right behind that `$match`. */
  readonly sort: RawDocument | undefined;
  /** `sorted`: the documents come in that order already. */
  run(docs: Iterable<RawDocument>, sorted?: boolean): Iterable<RawDocument>;
}
