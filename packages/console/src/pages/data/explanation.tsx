import { Title } from '@patternfly/react-core';
import { type DatabasePlace, type Document, useCommand } from '../../api/commands.ts';
import { Problem } from '../../parts/problem.tsx';

interface ExplanationProps {
  readonly place: DatabasePlace;
  readonly command: Document;
}

interface Stage {
  readonly [field: string]: unknown;
  readonly stage: string;
  readonly inputStage?: Stage;
  readonly inputStages?: readonly Stage[];
  readonly shards?: readonly { readonly executionStages?: Stage }[];
}

/** How the database executes a command, and what each stage did. */
export function Explanation({ place, command }: ExplanationProps) {
  const { data, error } = useCommand(place, { explain: command, verbosity: 'executionStats' });
  const stages = stagesIn(data?.reply as Explained | undefined);
  return (
    <section aria-label="Plan" className="gap">
      <Title headingLevel="h2">Plan</Title>
      <Problem error={error} />
      {stages.map((stage, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stages have no identity
        <StageBox key={index} stage={stage} />
      ))}
      {data !== undefined && stages.length === 0 && <p>The database reports no stages for this command.</p>}
    </section>
  );
}

interface Explained {
  readonly executionStats?: { readonly executionStages?: Stage };
  readonly queryPlanner?: { readonly winningPlan?: Stage };
  readonly stages?: readonly { readonly $cursor?: Explained }[];
}

/** Returns the outermost stages. For an aggregation, they are inside its first stage. */
function stagesIn(reply: Explained | undefined): readonly Stage[] {
  if (reply === undefined) return [];
  const whole = reply.stages?.[0]?.$cursor ?? reply;
  const stage = whole.executionStats?.executionStages ?? whole.queryPlanner?.winningPlan;
  return stage === undefined ? [] : [stage];
}

const facts: Readonly<Record<string, string>> = {
  indexName: 'index',
  nReturned: 'returned',
  keysExamined: 'keys examined',
  docsExamined: 'documents examined',
  executionTimeMillisEstimate: 'ms',
};

function StageBox({ stage }: { readonly stage: Stage }) {
  const inner = [
    ...(stage.inputStage === undefined ? [] : [stage.inputStage]),
    ...(stage.inputStages ?? []),
    ...(stage.shards ?? []).flatMap(({ executionStages }) => executionStages ?? []),
  ];
  return (
    <div className="stage">
      <strong>{stage.stage}</strong>{' '}
      {Object.entries(facts)
        .filter(([field]) => stage[field] !== undefined)
        .map(([field, name]) => `${name}: ${String(stage[field])}`)
        .join(', ')}
      {inner.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stages have no identity
        <StageBox key={index} stage={one} />
      ))}
    </div>
  );
}
