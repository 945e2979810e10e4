import { Progress } from '@patternfly/react-core';
import type { Task } from '../api/resources.ts';

/** How much of a task is done. Shows nothing if the task reports no progress. */
export function TaskProgress({ task: { kind, progress } }: { readonly task: Task }) {
  if (progress === undefined) return null;
  const { unit, done, total } = progress;
  if (total === undefined || total === 0) return `${done} ${unit}`;
  return (
    <Progress
      aria-label={`Progress of ${kind}`}
      size="sm"
      value={(100 * done) / total}
      label={`${done} of ${total} ${unit}`}
    />
  );
}
