import { type Task, useOperatorList } from '../api/resources.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/date.tsx';
import { StateLabel } from '../parts/state-label.tsx';
import { TaskProgress } from '../parts/task-progress.tsx';
import { View } from '../parts/view.tsx';

const columns: readonly Column<Task>[] = [
  { title: 'Task', cell: ({ kind }) => kind },
  { title: 'State', cell: ({ state }) => <StateLabel state={state} /> },
  { title: 'Step', cell: ({ step }) => step },
  { title: 'Progress', cell: (task) => <TaskProgress task={task} /> },
  { title: 'Created', cell: ({ created }) => <Moment at={created} /> },
  { title: 'Starts', cell: ({ runAt }) => <Moment at={runAt} /> },
  { title: 'Last failure', cell: ({ error }) => error },
];

/** For operators: work that continues after the response to a request. */
export function TasksPage({ isOperator }: { readonly isOperator: boolean }) {
  const { data, error } = useOperatorList('/tasks?itemsPerPage=500', isOperator);
  if (!isOperator) return <View title="Tasks">Only the operator sees the tasks of the service.</View>;
  return (
    <View title="Tasks">
      <DataTable
        label="Tasks"
        columns={columns}
        rows={data}
        keyOf={({ id }) => id}
        error={error}
        empty="Tasks appear while clusters change, snapshots are taken, or work waits until its start time."
      />
    </View>
  );
}
