import Type from 'typebox';
import { listTasks as listedTasks } from '../../tasks/index.ts';
import { extension } from '../services.ts';
import { OperatorTask } from './schema.ts';

export const listTasks = extension({
  id: 'listTasks',
  summary:
    'Lists waiting, running and failed tasks with their progress, oldest first. A task that has succeeded is no longer listed.',
  tag: 'Operator',
  surface: 'operator',
  method: 'GET',
  path: '/tasks',
  access: 'operator',
  query: Type.Object({
    failed: Type.Optional(
      Type.Boolean({ description: '`true` returns only failed tasks, `false` all others.' }),
    ),
    kind: Type.Optional(
      Type.String({ description: 'Returns only tasks of this kind, such as `backup.export`.' }),
    ),
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
