import { Button, Title } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../api/client.ts';
import { itemsOf } from '../../api/lists.ts';
import type { OperatorEntry } from '../../api/operations.ts';
import { operatorRequest } from '../../api/requests.ts';
import { useChange, useOperatorList } from '../../api/resources.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/date.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Remove } from '../../parts/remove.tsx';
import { sizeText } from '../../parts/size.ts';
import { TextField } from '../../parts/text-field.tsx';

type State = OperatorEntry<'/states'>;

const pathOf = ({ name }: Pick<State, 'name'>) => `/states/${encodeURIComponent(name)}` as const;

/** Saved states of the whole service, including its databases. */
export function States() {
  const { data, error } = useOperatorList('/states');
  const [saved, setSaved] = useState<string>();
  const [restored, setRestored] = useState<State>();
  const [compared, setCompared] = useState<State>();
  const saving = useChange(() => setSaved(undefined));
  const columns = columnsOf({ restore: setRestored, compare: setCompared });
  return (
    <>
      <Button variant="secondary" className="gap" onClick={() => setSaved('')}>
        Save state
      </Button>
      <DataTable
        label="Saved states"
        columns={columns}
        rows={data}
        keyOf={({ name }) => name}
        error={error}
        empty="Save the state of the service, so that you can restore it after a test."
      />
      {compared && <Differences state={compared} />}
      {saved !== undefined && (
        <FormDialog
          title="Save state"
          action="Save"
          isReady={saved !== ''}
          attempt={saving}
          onSubmit={() => saving.mutate(operatorRequest('POST', '/states', { name: saved }))}
          onClose={() => setSaved(undefined)}
        >
          <TextField
            id="state-name"
            label="Name"
            value={saved}
            onChange={setSaved}
            error={saving.error}
            field="name"
            help="A state with that name is replaced"
            isRequired
          />
        </FormDialog>
      )}
      {restored && <RestoreState state={restored} onClose={() => setRestored(undefined)} />}
    </>
  );
}

type Act = (state: State) => void;

const columnsOf = (acts: Readonly<Record<'compare' | 'restore', Act>>): readonly Column<State>[] => [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Saved', cell: ({ saved }) => <Moment at={saved} /> },
  { title: 'Clusters', cell: ({ clusters }) => clusters },
  { title: 'Size', cell: ({ bytes }) => bytes !== undefined && sizeText(bytes) },
  { title: 'Problem', cell: ({ problem }) => problem },
  {
    title: 'Actions',
    cell: (state) => (
      <>
        {state.problem === undefined && (
          <>
            <Button variant="link" isInline className="beside" onClick={() => acts.restore(state)}>
              Restore…
            </Button>
            <Button variant="link" isInline className="beside" onClick={() => acts.compare(state)}>
              Compare
            </Button>
          </>
        )}
        <Remove
          name={state.name}
          change={operatorRequest('DELETE', pathOf(state))}
          consequence="The service can then no longer return to this state."
        />
      </>
    ),
  },
];

type Difference = OperatorEntry<`/states/${string}/differences`>;

/** What has changed since a state was saved. */
function Differences({ state }: { readonly state: State }) {
  // Do not reload this, because each comparison saves the data of the whole service.
  const { data, error } = useQuery({
    queryKey: ['once', 'differences', state.name],
    queryFn: async () => itemsOf(await read('operator', `${pathOf(state)}/differences`)),
    staleTime: 0,
  });
  return (
    <>
      <Title headingLevel="h2">Changes since {state.name}</Title>
      <DataTable<Difference>
        label="Differences"
        columns={[
          { title: 'Change', cell: ({ change }) => change },
          { title: 'Type', cell: ({ type }) => type },
          { title: 'Name', cell: ({ name, id }) => name ?? id },
        ]}
        rows={data}
        keyOf={({ change, type, id }) => `${change} ${type} ${id}`}
        error={error}
        empty="Nothing has changed since."
      />
    </>
  );
}

function RestoreState({ state, onClose }: { readonly state: State; readonly onClose: () => void }) {
  const restoring = useChange(onClose);
  return (
    <FormDialog
      title={`Restore ${state.name}`}
      action="Restore"
      variant="danger"
      attempt={restoring}
      onSubmit={() => restoring.mutate(operatorRequest('POST', `${pathOf(state)}/restore`))}
      onClose={onClose}
    >
      <p>
        The whole service, with all its clusters, returns to the saved state. All later changes are lost,
        including sessions that began later.
      </p>
    </FormDialog>
  );
}
