import Type from 'typebox';
import { Choice, DateTime, Id } from '../../api/fields.ts';
import { progressUnits, taskStates } from '../../tasks/index.ts';

const optional = Type.Optional;

const Progress = Type.Object(
  {
    done: Type.Integer({ description: 'Amount of completed work, in the unit that `unit` names.' }),
    total: optional(
      Type.Integer({
        description: 'Total amount of work, in the unit that `unit` names; absent while it is unknown.',
      }),
    ),
    unit: Choice(progressUnits, { description: 'Unit of `done` and `total`.' }),
  },
  {
    description:
      'Progress of the current step. Absent if the step reports no progress, and during the first second of the step.',
  },
);

const TaskState = Choice(taskStates, {
  description:
    '`SCHEDULED`: the task starts at `runAt`. `QUEUED`: the task starts when a worker is free and earlier tasks with the same key have ended. ' +
    '`WAITING`: the step is repeated after a delay. `FAILED`: the task is not repeated.',
});

export const OperatorTask = Type.Object(
  {
    created: DateTime(),
    error: optional(Type.String({ description: 'Message of the latest failure of the current step.' })),
    failures: Type.Integer({ description: 'Number of consecutive failures of the current step.' }),
    host: optional(Type.String({ description: 'Engine host that runs the cluster of the task.' })),
    id: Id(),
    key: Type.String({ description: 'Key of the task. Tasks with the same key run one after another.' }),
    kind: Type.String({ description: 'Kind of the task, such as `backup.export`.' }),
    progress: optional(Progress),
    runAt: optional(DateTime({ description: 'Earliest time at which the task starts.' })),
    state: TaskState,
    step: optional(Type.String({ description: 'Name of the current step; absent before the first step.' })),
  },
  { description: 'A task: work that continues after the response to a request.' },
);
