import { Button } from '@patternfly/react-core';
import type { Cluster } from '../../../api/resources.ts';
import { DataTable } from '../../../parts/data-table.tsx';
import { Heading } from '../../../parts/heading.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { useTimeText } from '../../../parts/time-text.ts';
import { ReadChart } from './read-chart.tsx';
import { durationOf, durationText, outcomeOf, primaryText, type Read, readsText } from './read-log.ts';
import { useReads } from './use-reads.ts';

interface ReadPanelProps {
  readonly groupId: string;
  readonly cluster: Cluster;
  /** Whether an outage or a failover is in progress. The panel then starts to read by itself. */
  readonly isDisturbed: boolean;
}

/** What happens to the reads of a driver during an outage or a failover: the page itself reads from the primary. */
export function ReadPanel({ groupId, cluster, isDisturbed }: ReadPanelProps) {
  const time = useTimeText({ timeStyle: 'medium' });
  const { log, isReading, error, start, stop } = useReads(groupId, cluster, isDisturbed);
  const { reads } = log;
  const primary = primaryText(log, time);
  const text = `${readsText(reads)} ${primary}`;
  return (
    <section aria-label="Reads during a failover">
      <Heading title="Reads during a failover">
        <Button variant="secondary" onClick={isReading ? stop : start}>
          {isReading ? 'Stop reading' : 'Read now'}
        </Button>
      </Heading>
      <Problem error={error} />
      {reads.length === 0 ? (
        <p>
          During an outage or a failover, and for a minute after it, this page reads from the primary every
          half second, and shows how long the reads take.
        </p>
      ) : (
        <>
          <p>{text}</p>
          <ReadChart log={log} text={text} />
          <ReadTable reads={reads} />
        </>
      )}
      <p role="status" className="pf-v6-screen-reader">
        {reads.length > 0 && `${announcements[outcomeOf(reads)]} ${primary}`}
      </p>
    </section>
  );
}

/** These texts change seldom, so that screen readers do not announce each read. */
const announcements = {
  failing: 'Reads fail.',
  recovered: 'Reads succeed again.',
  undisturbed: 'Reads succeed.',
};

function ReadTable({ reads }: { readonly reads: readonly Read[] }) {
  const time = useTimeText({ timeStyle: 'medium' });
  return (
    <details>
      <summary>Reads as a table, newest first</summary>
      <DataTable<Read>
        label="Reads"
        columns={[
          { title: 'Time', cell: ({ start }) => time(start) },
          { title: 'Duration', cell: (read) => durationText(durationOf(read)) },
          { title: 'Result', cell: ({ error = 'success' }) => error },
        ]}
        rows={reads.toReversed()}
        keyOf={({ start }) => String(start)}
        empty=""
      />
    </details>
  );
}
