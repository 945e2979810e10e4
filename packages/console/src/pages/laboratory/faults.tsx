import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import type { OperatorEntry } from '../../api/operations.ts';
import { operatorRequest } from '../../api/requests.ts';
import { useChange, useOperatorList } from '../../api/resources.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { documentIn, JsonField } from '../../parts/json-field.tsx';
import { Remove } from '../../parts/remove.tsx';
import { SelectField } from '../../parts/select-field.tsx';

type Fault = OperatorEntry<'/faults'>;

/** Declared faults: requests, work on clusters or commands that fail on purpose. */
export function Faults() {
  const { data, error } = useOperatorList('/faults');
  const [isDeclaring, setDeclaring] = useState(false);
  return (
    <>
      <Button variant="secondary" className="gap" onClick={() => setDeclaring(true)}>
        Declare fault
      </Button>
      <DataTable<Fault>
        label="Faults"
        columns={[
          { title: 'Rule', cell: (fault) => <span className="code">{ruleOf(fault)}</span> },
          { title: 'Matching calls', cell: ({ calls }) => calls },
          { title: 'Triggered', cell: ({ met }) => met },
          {
            title: 'Action',
            cell: ({ id }) => (
              <Remove
                name={`fault ${id}`}
                change={operatorRequest('DELETE', `/faults/${id}`)}
                consequence="Requests and work no longer fail because of this fault."
              />
            ),
          },
        ]}
        rows={data}
        keyOf={({ id }) => id}
        error={error}
        empty="Declare a fault to see how a client deals with it."
      />
      {isDeclaring && <DeclareFault onClose={() => setDeclaring(false)} />}
    </>
  );
}

function ruleOf({ id, links, created, calls, met, seed, ...rule }: Fault): string {
  return JSON.stringify(rule);
}

const examples: Readonly<Record<string, object>> = {
  'The next request fails': { times: 1, request: { operations: ['*'], status: 503 } },
  'Every request takes a second longer': { request: { operations: ['*'], delayMilliseconds: 1000 } },
  'One request in three loses its connection': {
    probability: 0.33,
    request: { operations: ['*'], disconnect: 'AFTER' },
  },
  'Changes of clusters wait until the fault ends': { work: { kinds: ['CLUSTER_CHANGE'], outcome: 'HELD' } },
  'The next snapshot fails': { times: 1, work: { kinds: ['SNAPSHOT'], outcome: 'FAILED' } },
};

function DeclareFault({ onClose }: { readonly onClose: () => void }) {
  const [first = ''] = Object.keys(examples);
  const [kind, setKind] = useState(first);
  const [text, setText] = useState(JSON.stringify(examples[first], null, 2));
  const declaration = useChange(onClose);
  const body = documentIn(text);
  const choose = (name: string) => {
    setKind(name);
    setText(JSON.stringify(examples[name], null, 2));
  };
  return (
    <FormDialog
      title="Declare fault"
      action="Declare"
      isReady={body !== undefined}
      attempt={declaration}
      onSubmit={() => declaration.mutate(operatorRequest('POST', '/faults', body))}
      onClose={onClose}
    >
      <SelectField id="kind" label="Example" value={kind} options={Object.keys(examples)} onChange={choose} />
      <JsonField
        id="rule"
        label="Rule"
        rows={10}
        value={text}
        onChange={setText}
        help="operations: operation ids or tags; the reference page lists them"
      />
    </FormDialog>
  );
}
