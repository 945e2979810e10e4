import {
  Button,
  Checkbox,
  FormSelect,
  FormSelectOption,
  SearchInput,
  Toolbar,
  ToolbarContent,
  ToolbarItem,
} from '@patternfly/react-core';
import { useState } from 'react';
import { urlOf } from '../api/client.ts';
import { operatorRequest } from '../api/requests.ts';
import { type InspectedRequest, useChange, useOperatorDocument, useOperatorList } from '../api/resources.ts';
import { breakable } from '../parts/breakable.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/date.tsx';
import { Problem } from '../parts/problem.tsx';
import { useAddressValues } from '../parts/use-address.ts';
import { View } from '../parts/view.tsx';
import { RequestDialog } from './request-dialog.tsx';

const columnsOf = (open: (request: InspectedRequest) => void): readonly Column<InspectedRequest>[] => [
  { title: 'Time', width: 15, cell: ({ at }) => <Moment at={at} /> },
  { title: 'Caller', width: 20, cell: ({ caller }) => breakable(caller?.name ?? 'none') },
  {
    title: 'Request',
    width: 40,
    cell: (request) => (
      <Button variant="link" isInline className="copied" onClick={() => open(request)}>
        {breakable(`${request.method} ${request.path}`)}
      </Button>
    ),
  },
  { title: 'Operation', cell: ({ operation }) => operation },
  { title: 'Result', cell: resultOf },
  { title: 'Duration', cell: ({ milliseconds }) => `${milliseconds.toFixed(1)} ms` },
];

function resultOf({ status, errorCode, challenge }: InspectedRequest): string {
  if (challenge) return `${status}: asks for credentials`;
  return [status, errorCode].filter(Boolean).join(' ');
}

interface RequestsPageProps {
  readonly isOperator: boolean;
  /** The id of the operation that the page shows by default; empty for all operations. */
  readonly operation: string;
  /** The id of the request that the page opens initially. */
  readonly requestId: string | undefined;
}

/** For operators: the latest requests of clients with their responses, with filters. */
export function RequestsPage({ isOperator, ...initial }: RequestsPageProps) {
  if (!isOperator) return <View title="Requests">Only the operator sees the requests of all callers.</View>;
  return (
    <View title="Requests">
      <Requests {...initial} />
    </View>
  );
}

/** The parameters of the operation that lists requests, without filters. */
const empty = { pathContains: '', caller: '', operation: '', failed: '', background: '' };
type Filter = typeof empty;

/** Returns the query of a list of requests that match a filter. */
function queryOf({ pathContains, ...others }: Filter): string {
  const given = Object.entries(others).filter(([, value]) => value !== '');
  return new URLSearchParams({ pathContains, ...Object.fromEntries(given) }).toString();
}

function Requests({ operation, requestId }: Omit<RequestsPageProps, 'isOperator'>) {
  const [filter, setFilter] = useAddressValues({ ...empty, operation });
  const [opened, setOpened] = useState(requestId);
  /** The requests that were displayed when the user paused the list. */
  const [paused, setPaused] = useState<readonly InspectedRequest[]>();
  const query = queryOf(filter);
  const { data, error } = useOperatorList(`/requests?itemsPerPage=500&${query}`);
  const rows = paused ?? data;
  const change = (part: Partial<Filter>) => {
    setPaused(undefined);
    setFilter(part);
  };
  return (
    <>
      <Toolbar>
        <ToolbarContent>
          <Filters filter={filter} rows={rows ?? []} onChange={change} />
          <ToolbarItem alignSelf="center">
            <RecordBodies />
          </ToolbarItem>
          <ToolbarItem>
            <Button variant="secondary" onClick={() => setPaused(paused === undefined ? data : undefined)}>
              {paused === undefined ? 'Pause' : 'Resume'}
            </Button>
          </ToolbarItem>
          <ToolbarItem>
            <Button
              variant="secondary"
              component="a"
              href={urlOf(`operator/v1/requests/archive?${query}`).href}
              download="requests.har"
            >
              Export as HAR
            </Button>
          </ToolbarItem>
        </ToolbarContent>
      </Toolbar>
      <DataTable
        label="Requests"
        columns={columnsOf((request) => setOpened(request.requestId))}
        rows={rows}
        keyOf={({ requestId, at, method, path }) => `${requestId} ${at} ${method} ${path}`}
        error={error}
        empty="Requests of clients appear here. To list the reads of the console too, check “Also reads of the console”."
      />
      {opened !== undefined && <RequestDialog requestId={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

interface FiltersProps {
  readonly filter: Filter;
  readonly rows: readonly InspectedRequest[];
  readonly onChange: (part: Partial<Filter>) => void;
}

function Filters({ filter, rows, onChange }: FiltersProps) {
  return (
    <>
      <ToolbarItem>
        <SearchInput
          aria-label="Path contains"
          placeholder="Path contains"
          value={filter.pathContains}
          onChange={(_event, pathContains) => onChange({ pathContains })}
          onClear={() => onChange({ pathContains: '' })}
        />
      </ToolbarItem>
      <Choice
        label="Caller"
        all="All callers"
        value={filter.caller}
        values={rows.map(({ caller }) => caller?.name ?? '')}
        onChange={(caller) => onChange({ caller })}
      />
      <Choice
        label="Operation"
        all="All operations"
        value={filter.operation}
        values={rows.map(({ operation }) => operation)}
        onChange={(operation) => onChange({ operation })}
      />
      <ToolbarItem alignSelf="center">
        <Checkbox
          id="failed"
          label="Failed only"
          isChecked={filter.failed === 'true'}
          onChange={(_event, isOn) => onChange({ failed: isOn ? 'true' : '' })}
        />
      </ToolbarItem>
      <ToolbarItem alignSelf="center">
        <Checkbox
          id="background"
          label="Also reads of the console"
          isChecked={filter.background === 'true'}
          onChange={(_event, isOn) => onChange({ background: isOn ? 'true' : '' })}
        />
      </ToolbarItem>
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  /** The text of the option that does not filter. */
  readonly all: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly onChange: (value: string) => void;
}

/** A filter that offers the values of the displayed requests. */
function Choice({ label, all, value, values, onChange }: ChoiceProps) {
  const offered = [...new Set(['', value, ...values])].sort();
  return (
    <ToolbarItem>
      <FormSelect aria-label={label} value={value} onChange={(_event, chosen) => onChange(chosen)}>
        {offered.map((one) => (
          <FormSelectOption key={one} value={one} label={one || all} />
        ))}
      </FormSelect>
    </ToolbarItem>
  );
}

/** Turns the recording of bodies on and off. It is off by default. */
function RecordBodies() {
  const { data } = useOperatorDocument('/requests/settings');
  const change = useChange();
  const set = (isOn: boolean) => {
    const recording = isOn ? 'BODIES' : 'HEADERS';
    change.mutate(operatorRequest('PATCH', '/requests/settings', { recording }));
  };
  return (
    <>
      <Checkbox
        id="bodies"
        label="Record bodies"
        isChecked={data?.recording === 'BODIES'}
        onChange={(_event, checked) => set(checked)}
      />
      <Problem error={change.error} />
    </>
  );
}
