import Type from 'typebox';
import { listTasks as listedTasks } from '../../tasks/index.ts';
import { extension } from '../services.ts';
import { OperatorTask } from './schema.ts';

export const listTasks = extension({
  id: 'listTasks',
  summary: 'Lists the tasks that have not succeeded, oldest first, with their progress.',
  tag: 'Operator',
  surface: 'operator',
  method: 'GET',
  path: '/tasks',
  access: 'operator',
  query: Type.Object({
    failed: Type.Optional(
      Type.Boolean({ description: 'Returns only tasks that have failed, or only those that have not.' }),
    ),
    kind: Type.Optional(Type.String({ description: 'Returns only tasks of this kind: `backup.export`.' })),
  }),
  reply: OperatorTask,
  list: 'page',
  status: 200,
  handler: ({ query, page, read }) =>
    read(async (tx) => {
      const { tasks, next } = await listedTasks(tx, query, page);
      return { results: tasks, next };
    }),
});
