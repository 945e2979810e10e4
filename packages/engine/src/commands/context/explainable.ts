import type { RawDocument } from '../../bson/raw.ts';
import type { PlanStage } from '../../planner/stages.ts';
import type { StoredRecord } from '../../storage/records/page.ts';
import type { ClusterContext } from './cluster.ts';
import type { CommandRequest } from './request.ts';

/** The functions with which `explain` describes a command. */
export interface Explainable {
  readonly explain: Explainer;
  /** Throws for arguments that the command does not accept within `explain`. By default, `explain` itself throws. */
  readonly check?: (body: RawDocument) => void;
  /**
   * Converts the query to pipeline stages. For a view, `explain` describes an aggregation with these stages.
   * Undefined for commands that do not read views.
   */
  readonly stages: ((body: RawDocument) => readonly RawDocument[]) | undefined;
}

export type Explainer = (inner: CommandRequest, cluster: ClusterContext, run: boolean) => Explained;

/** The parts of the reply to `explain`. */
export interface Explained {
  readonly namespace: string;
  readonly filter: RawDocument | undefined;
  readonly visited: Visited;
  /** The pipeline stages that run after the access to the collection. */
  readonly stages: readonly object[];
  /** True if the pipeline begins with a search, so that the collection is not scanned. */
  readonly searched?: boolean;
  /** The settings for queries of this shape. */
  readonly querySettings?: RawDocument | undefined;
  readonly queryShapeHash: string;
  readonly planShapeHash: string;
  readonly planCacheKey: string;
}

/** The documents and index keys that a command has read or would read. */
export interface Visited {
  /** The numbers of documents and index keys that were read. */
  readonly docsExamined: number;
  readonly keysExamined: number;
  /** The matching records. Empty unless `explain` needs them. */
  readonly records: readonly StoredRecord[];
  readonly found: number;
  /** True if an index filter restricted the choice of indexes. */
  readonly restricted?: boolean;
  readonly top: PlanStage;
  /** The rejected plans. None of them was executed. */
  readonly rejected?: readonly PlanStage[];
}

export type Verbosity = 'queryPlanner' | 'executionStats' | 'allPlansExecution';
