import type { RawDocument } from '../../bson/raw.ts';
import type { PlanStage } from '../../planner/stages.ts';
import type { StoredRecord } from '../../storage/page.ts';
import type { ClusterContext } from './cluster.ts';
import type { CommandRequest } from './request.ts';

/** How a command is explained. */
export interface Explainable {
  readonly explain: Explainer;
  /**
   * What it asks of documents, as stages of a pipeline: asked of a view, it is explained as the pipeline that it really
   * is. Undefined for commands that do not read views.
   */
  readonly stages: ((body: RawDocument) => readonly RawDocument[]) | undefined;
}

export type Explainer = (inner: CommandRequest, cluster: ClusterContext, run: boolean) => Explained;

/** What is told of a command that is explained. */
export interface Explained {
  readonly namespace: string;
  readonly filter: RawDocument | undefined;
  readonly visited: Visited;
  /** Stages of a pipeline behind what visits the collection. */
  readonly stages: readonly object[];
  /** The stages begin with a search, so that nothing visits the collection. */
  readonly searched?: boolean;
  readonly queryShapeHash: string;
  readonly planShapeHash: string;
}

/** What a command would visit, or has visited. */
export interface Visited {
  /** How many documents were read, and how many of them by their key. */
  readonly docsExamined: number;
  readonly keysExamined: number;
  /** Those that matched; not gathered where nobody asks for them. */
  readonly records: readonly StoredRecord[];
  readonly found: number;
  /** Only some indexes might be used. */
  readonly restricted?: boolean;
  readonly top: PlanStage;
  /** Other ways that would have done; none was gone. */
  readonly rejected?: readonly PlanStage[];
}

export type Verbosity = 'queryPlanner' | 'executionStats' | 'allPlansExecution';
