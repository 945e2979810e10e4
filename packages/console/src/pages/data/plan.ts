/** A stage of a query plan. Its inner stages pass their documents to it. */
export interface Stage {
  readonly [field: string]: unknown;
  readonly stage: string;
  readonly inputStage?: Stage;
  readonly inputStages?: readonly Stage[];
  readonly shards?: readonly { readonly executionStages?: Stage }[];
}

/** A stage of an aggregation: one field with its definition and, for the first stage, the query plan in `$cursor`. */
type PipelineStage = Readonly<Record<string, unknown>>;

/** The reply to `explain`, and the part of this reply that one shard has sent. */
export interface Explained {
  readonly executionStats?: { readonly executionStages?: Stage };
  readonly queryPlanner?: { readonly winningPlan?: Stage };
  readonly stages?: readonly PipelineStage[];
  readonly shards?: Readonly<Record<string, Explained>>;
  readonly splitPipeline?: { readonly mergerPart?: readonly PipelineStage[] } | null;
}

/** Returns the outermost stage of a plan. The stages of an aggregation contain the stages before them. */
export function planOf(reply: Explained): Stage | undefined {
  const { stages, shards, splitPipeline, executionStats, queryPlanner } = reply;
  if (shards !== undefined) return through(splitPipeline?.mergerPart ?? [], shardsOf(shards));
  if (stages !== undefined) return through(stages, undefined);
  return executionStats?.executionStages ?? queryPlanner?.winningPlan;
}

function shardsOf(shards: Readonly<Record<string, Explained>>): Stage {
  const inputStages = Object.entries(shards).map(([name, part]): Stage => {
    const inner = planOf(part);
    return { stage: name, ...(inner && { inputStage: inner }) };
  });
  return { stage: 'SHARDS', inputStages };
}

function through(stages: readonly PipelineStage[], first: Stage | undefined): Stage | undefined {
  return stages.reduce<Stage | undefined>((input, { $cursor, ...stage }) => {
    if ($cursor !== undefined) return planOf($cursor as Explained);
    const [name = '', definition] = Object.entries(stage).find(([key]) => key.startsWith('$')) ?? [];
    return { ...stage, stage: name, definition, ...(input && { inputStage: input }) };
  }, first);
}

/** The stages that pass documents to a stage. */
export function inputsOf({ inputStage, inputStages = [], shards = [] }: Stage): readonly Stage[] {
  const ofShards = shards.flatMap(({ executionStages }) => executionStages ?? []);
  return [...(inputStage === undefined ? [] : [inputStage]), ...inputStages, ...ofShards];
}
