import type { RawDocument } from '../../bson/raw.ts';
import type { PlanStage } from '../../planner/stages.ts';
import type { StoredRecord } from '../../storage/records/page.ts';
import type { ClusterContext } from './cluster.ts';
import type { CommandRequest } from './request.ts';

/** How explain describes a command. */
export interface Explainable {
  readonly explain: Explainer;
  /**
   * The query as pipeline stages: on a view, the resulting aggregation is explained. Undefined for commands that do not
   * read views.
   */
  readonly stages: ((body: RawDocument) => readonly RawDocument[]) | undefined;
}

export type Explainer = (inner: CommandRequest, cluster: ClusterContext, run: boolean) => Explained;

/** The parts of an explain reply. */
export interface Explained {
  readonly namespace: string;
  readonly filter: RawDocument | undefined;
  readonly visited: Visited;
  /** Pipeline stages after the access to the collection. */
  readonly stages: readonly object[];
  /** The pipeline starts with a search, so the collection is not scanned. */
  readonly searched?: boolean;
  readonly queryShapeHash: string;
  readonly planShapeHash: string;
}

/** The work that a command has done, or would do. */
export interface Visited {
  /** Documents and index keys read. */
  readonly docsExamined: number;
  readonly keysExamined: number;
  /** The matches; empty if not requested. */
  readonly records: readonly StoredRecord[];
  readonly found: number;
  /** An index filter limited the choice of indexes. */
  readonly restricted?: boolean;
  readonly top: PlanStage;
  /** Rejected plans; none has been executed. */
  readonly rejected?: readonly PlanStage[];
}

export type Verbosity = 'queryPlanner' | 'executionStats' | 'allPlansExecution';
