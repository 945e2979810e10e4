import { Checkbox } from '@patternfly/react-core';
import { useState } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { type Cluster, useDocument } from '../../api/resources.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/date.tsx';

type Login = Schemas['ListAccessLogsByClusterNameReply']['accessLogs'][number];

const SHOWN = 200;

interface AccessHistoryProps {
  readonly groupId: string;
  readonly cluster: Cluster;
}

/** The latest logins of drivers on a cluster. */
export function AccessHistory({ groupId, cluster }: AccessHistoryProps) {
  const [isFailedOnly, setFailedOnly] = useState(false);
  const { data, error } = useDocument(
    `/groups/${groupId}/dbAccessHistory/clusters/${encodeURIComponent(cluster.name)}?nLogs=${SHOWN}${
      isFailedOnly ? '&authResult=false' : ''
    }`,
  );
  return (
    <>
      <Checkbox
        id="failed"
        className="gap"
        label="Failed only"
        isChecked={isFailedOnly}
        onChange={(_event, checked) => setFailedOnly(checked)}
      />
      <DataTable<Login>
        label="Logins"
        columns={[
          { title: 'Time', cell: ({ timestamp }) => <Moment at={isoOf(timestamp)} /> },
          { title: 'User', cell: ({ username, authSource }) => `${username}@${authSource}` },
          { title: 'Address', cell: ({ ipAddress }) => ipAddress },
          {
            title: 'Result',
            cell: ({ authResult, failureReason }) => (authResult ? 'success' : failureReason),
          },
          { title: 'Node', cell: ({ hostname }) => hostname },
        ]}
        rows={data?.accessLogs}
        keyOf={({ logLine }) => logLine}
        error={error}
        empty="Logins of drivers in the last seven days appear here."
      />
    </>
  );
}

/** Converts a date to ISO 8601. Returns undefined if the text is not a date. */
function isoOf(timestamp: string): string | undefined {
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
