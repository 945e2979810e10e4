import { Button, Card, CardBody, CardTitle } from '@patternfly/react-core';
import { useState } from 'react';
import { type Document, documentsOf, useCommand } from '../../api/commands.ts';
import { documentIn, JsonField } from '../../parts/json-field.tsx';
import { Problem } from '../../parts/problem.tsx';
import { RemoveEntry } from '../../parts/remove-entry.tsx';
import type { CollectionProps } from './collection.tsx';
import { Explanation } from './explanation.tsx';
import { Results } from './results.tsx';

/** How many documents are shown after each stage. */
const FIRST = 5;

interface StageText {
  readonly id: number;
  readonly text: string;
}

/** Builds a pipeline stage by stage, and shows the first results of each stage. */
export function Aggregation({ place, collection, may }: CollectionProps) {
  const [stages, setStages] = useState<readonly StageText[]>([{ id: 0, text: '{"$match": {}}' }]);
  const [shown, setShown] = useState<{ readonly upTo: number; readonly pipeline: readonly Document[] }>();
  const [explained, setExplained] = useState<readonly Document[]>();
  const pipelineUpTo = (id: number) =>
    stages
      .slice(0, stages.findIndex((stage) => stage.id === id) + 1)
      .map(({ text }) => documentIn<Document>(text))
      .filter((stage) => stage !== undefined);
  const set = (id: number, text: string) =>
    setStages(stages.map((stage) => (stage.id === id ? { id, text } : stage)));
  const next = Math.max(-1, ...stages.map(({ id }) => id)) + 1;
  const last = stages.at(-1);
  return (
    <>
      {stages.map(({ id, text }, index) => (
        <Card key={id} isCompact className="gap">
          <CardTitle component="h2">Stage {index + 1}</CardTitle>
          <CardBody>
            <JsonField
              id={`stage-${id}`}
              label={`Stage ${index + 1} as JSON`}
              rows={3}
              value={text}
              onChange={(changed) => set(id, changed)}
            />
            <Button
              variant="link"
              isInline
              onClick={() => setShown({ upTo: id, pipeline: pipelineUpTo(id) })}
            >
              Show results after stage {index + 1}
            </Button>{' '}
            <RemoveEntry
              name={`stage ${index + 1}`}
              onRemove={() => setStages(stages.filter((stage) => stage.id !== id))}
            />
            {shown?.upTo === id && <StageResults {...{ place, collection, may }} pipeline={shown.pipeline} />}
          </CardBody>
        </Card>
      ))}
      <Button variant="secondary" onClick={() => setStages([...stages, { id: next, text: '' }])}>
        Add stage
      </Button>{' '}
      {last && (
        <Button variant="secondary" onClick={() => setExplained(pipelineUpTo(last.id))}>
          Explain
        </Button>
      )}
      {explained && (
        <Explanation place={place} command={{ aggregate: collection, pipeline: explained, cursor: {} }} />
      )}
    </>
  );
}

const writes = (stage: Document): boolean => '$out' in stage || '$merge' in stage;

function StageResults({
  place,
  collection,
  pipeline,
}: CollectionProps & { readonly pipeline: readonly Document[] }) {
  // A stage that writes must be the last one, so `$limit` cannot follow it.
  const limited = pipeline.some(writes) ? pipeline : [...pipeline, { $limit: FIRST }];
  const { data, error } = useCommand(place, { aggregate: collection, pipeline: limited });
  return (
    <section aria-label="Results">
      <Problem error={error} />
      {data && <Results documents={documentsOf(data) ?? []} isCut={data.isCut} />}
    </section>
  );
}
