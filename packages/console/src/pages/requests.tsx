import { Button, Checkbox, SearchInput, Toolbar, ToolbarContent, ToolbarItem } from '@patternfly/react-core';
import { useState } from 'react';
import {
  type InspectedRequest,
  type Recording,
  useOperatorChange,
  useOperatorDocument,
  useOperatorList,
} from '../api/resources.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/date.tsx';
import { Problem } from '../parts/problem.tsx';
import { View } from '../parts/view.tsx';
import { FAILED_FROM, RequestDialog } from './request-dialog.tsx';

const columnsOf = (open: (request: InspectedRequest) => void): readonly Column<InspectedRequest>[] => [
  { title: 'Time', cell: ({ at }) => <Moment at={at} /> },
  { title: 'Caller', cell: ({ caller }) => <span className="copied">{caller?.name ?? 'none'}</span> },
  {
    title: 'Request',
    cell: (request) => (
      <Button variant="link" isInline className="copied" onClick={() => open(request)}>
        {`${request.method} ${request.path}`}
      </Button>
    ),
  },
  { title: 'Operation', cell: ({ operation }) => operation },
  {
    title: 'Result',
    cell: ({ status, errorCode }) => (errorCode === undefined ? status : `${status} ${errorCode}`),
  },
  { title: 'Duration', cell: ({ milliseconds }) => `${milliseconds.toFixed(1)} ms` },
];

/** For operators: the latest requests of clients with their responses, with filters. */
export function RequestsPage({ isOperator }: { readonly isOperator: boolean }) {
  if (!isOperator) return <View title="Requests">Only the operator sees the requests of all callers.</View>;
  return (
    <View title="Requests">
      <Requests />
    </View>
  );
}

function Requests() {
  const [text, setText] = useState('');
  const [isFailedOnly, setFailedOnly] = useState(false);
  const [opened, setOpened] = useState<InspectedRequest>();
  const failed = isFailedOnly ? `&minStatus=${FAILED_FROM}` : '';
  const { data, error } = useOperatorList<InspectedRequest>(
    `/requests?itemsPerPage=500&pathContains=${encodeURIComponent(text)}${failed}`,
  );
  return (
    <>
      <Toolbar>
        <ToolbarContent>
          <ToolbarItem>
            <SearchInput
              aria-label="Path contains"
              placeholder="Path contains"
              value={text}
              onChange={(_event, value) => setText(value)}
              onClear={() => setText('')}
            />
          </ToolbarItem>
          <ToolbarItem alignSelf="center">
            <Checkbox
              id="failed"
              label="Failed only"
              isChecked={isFailedOnly}
              onChange={(_event, checked) => setFailedOnly(checked)}
            />
          </ToolbarItem>
          <ToolbarItem alignSelf="center">
            <RecordBodies />
          </ToolbarItem>
        </ToolbarContent>
      </Toolbar>
      <DataTable
        label="Requests"
        columns={columnsOf(setOpened)}
        rows={data?.filter((request) => !isOfConsole(request))}
        keyOf={({ requestId, at, method, path }) => `${requestId} ${at} ${method} ${path}`}
        error={error}
        empty="Requests of API keys and service accounts appear here. Requests of the console are not listed."
      />
      {opened && <RequestDialog requestId={opened.requestId} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** Whether a page of the console has sent the request. Pages send requests every few seconds. */
function isOfConsole({ caller, path }: InspectedRequest): boolean {
  return caller?.kind === 'user' || path.startsWith('/operator/') || path.startsWith('/console');
}

/** Switches the recording of bodies, which is off by default. */
function RecordBodies() {
  const { data } = useOperatorDocument<{ recording: Recording }>('/requests/settings');
  const change = useOperatorChange();
  const set = (isOn: boolean) => {
    const recording: Recording = isOn ? 'BODIES' : 'HEADERS';
    change.mutate({ method: 'PATCH', path: '/requests/settings', body: { recording } });
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
