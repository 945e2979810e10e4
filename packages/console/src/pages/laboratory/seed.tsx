import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import type { Reply } from '../../api/operations.ts';
import { operatorRequest } from '../../api/requests.ts';
import { useChange, useOperatorDocument } from '../../api/resources.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { documentIn, JsonField } from '../../parts/json-field.tsx';
import { Problem } from '../../parts/problem.tsx';
import { StateLabel } from '../../parts/state-label.tsx';

type Result = NonNullable<Reply<'operator', 'GET', '/seed'>['results']>[number];

const REFRESH_MS = 1000;

const origins: Readonly<Record<string, string>> = {
  REQUEST: 'a request of an operator',
  START: 'the start of the service',
};

const columns: readonly Column<Result>[] = [
  { title: 'Entry of the seed', cell: ({ place }) => place },
  { title: 'Created', cell: ({ created }) => created },
  { title: 'Existed before', cell: ({ existing }) => existing },
];

/** The seed that was last applied, and a form that applies another one. */
export function SeedTab() {
  const [isApplying, setApplying] = useState(false);
  const { data, error } = useOperatorDocument('/seed', REFRESH_MS);
  return (
    <>
      <p>
        A seed lists users, teams, API keys, projects, clusters and documents. The service creates those that
        are missing, and does not change the others. It writes the private keys of new API keys to the file
        seed-keys.json in its data directory.
      </p>
      <Button variant="secondary" className="gap" onClick={() => setApplying(true)}>
        Apply seed…
      </Button>
      <Problem error={error} />
      {data?.status === 'NONE' && <p>The service has applied no seed since its start.</p>}
      {data?.seed && (
        <>
          <Facts
            facts={[
              ['State', <StateLabel key="state" state={data.status ?? ''} />],
              ['Origin', origins[data.origin ?? '']],
              ['Problem', data.problem],
            ]}
          />
          <DataTable
            label="Results"
            columns={columns}
            rows={data.results}
            keyOf={({ place }) => place}
            empty="Each entry of the seed appears here when it is created or found."
          />
          <section aria-label="Applied seed">
            {/* Focusable, so that a long text can be scrolled by keyboard. */}
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs the focus */}
            <pre className="code" tabIndex={0}>
              {JSON.stringify(data.seed, null, 2)}
            </pre>
          </section>
        </>
      )}
      {isApplying && <ApplySeed onClose={() => setApplying(false)} />}
    </>
  );
}

const example = { projects: [{ name: 'Harbour', clusters: [{ name: 'quay' }] }] };

function ApplySeed({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState(JSON.stringify(example, null, 2));
  const seed = documentIn(text);
  const application = useChange(onClose);
  return (
    <FormDialog
      title="Apply seed"
      action="Apply"
      isReady={seed !== undefined}
      attempt={application}
      onSubmit={() => application.mutate(operatorRequest('POST', '/seed', { seed: seed ?? {} }))}
      onClose={onClose}
    >
      <JsonField
        id="seed"
        label="Seed document"
        rows={12}
        value={text}
        onChange={setText}
        help="The content of a seed file as JSON, without references to other files"
      />
    </FormDialog>
  );
}
