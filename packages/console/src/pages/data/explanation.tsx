import { Title } from '@patternfly/react-core';
import { stringifyInOrder } from '@portolan/foundation/ordered-json';
import { type DatabasePlace, type Document, useCommand } from '../../api/commands.ts';
import { Problem } from '../../parts/problem.tsx';
import { type Explained, inputsOf, planOf, type Stage } from './plan.ts';

interface ExplanationProps {
  readonly place: DatabasePlace;
  readonly command: Document;
}

/** How the database executes a command, and what each stage did. */
export function Explanation({ place, command }: ExplanationProps) {
  const { data, error } = useCommand(place, { explain: command, verbosity: 'executionStats' });
  const plan = data && planOf(data.reply as Explained);
  return (
    <section aria-label="Plan" className="gap">
      <Title headingLevel="h2">Plan</Title>
      <Problem error={error} />
      {plan && <StageBox stage={plan} />}
      {data && !plan && <p>The database reports no stages for this command.</p>}
    </section>
  );
}

const facts: Readonly<Record<string, string>> = {
  indexName: 'index',
  nReturned: 'returned',
  keysExamined: 'keys examined',
  docsExamined: 'documents examined',
  executionTimeMillisEstimate: 'ms',
};

function StageBox({ stage }: { readonly stage: Stage }) {
  return (
    <div className="stage">
      <strong>{stage.stage}</strong>{' '}
      {Object.entries(facts)
        .filter(([field]) => stage[field] !== undefined)
        .map(([field, name]) => `${name}: ${String(stage[field])}`)
        .join(', ')}
      {stage.definition !== undefined && <div className="code">{stringifyInOrder(stage.definition)}</div>}
      {inputsOf(stage).map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stages have no identity
        <StageBox key={index} stage={one} />
      ))}
    </div>
  );
}
