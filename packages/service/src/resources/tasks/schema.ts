import Type from 'typebox';
import { Choice, DateTime, Id } from '../../api/fields.ts';
import { progressUnits, taskStates } from '../../tasks/index.ts';

const optional = Type.Optional;

const Progress = Type.Object(
  {
    done: Type.Integer(),
    total: optional(Type.Integer({ description: 'Total amount of work; absent while unknown.' })),
    unit: Choice(progressUnits),
  },
  {
    description:
      'Progress of the current step; absent if the step reports none or has run for less than a second.',
  },
);

const TaskState = Choice(taskStates, {
  description:
    '`SCHEDULED`: starts at `runAt`. `QUEUED`: starts when a worker is free and earlier tasks with the same key have ended. ' +
    '`WAITING`: the step is repeated after a delay. `FAILED`: the task is not repeated.',
});

export const OperatorTask = Type.Object(
  {
    created: DateTime(),
    error: optional(Type.String({ description: 'The last failure of the step.' })),
    failures: Type.Integer({ description: 'Consecutive failures of the step.' }),
    host: optional(Type.String({ description: 'The engine host on which the task must run.' })),
    id: Id(),
    key: Type.String({ description: 'Tasks with the same key run one after another.' }),
    kind: Type.String(),
    progress: optional(Progress),
    runAt: optional(DateTime({ description: 'The date before which the task does not start.' })),
    state: TaskState,
    step: optional(Type.String({ description: 'The current step; absent before the first.' })),
  },
  { description: 'Work that continues after the response to a request.' },
);
