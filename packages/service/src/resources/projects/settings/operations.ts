import { operation } from '../../services.ts';
import { changeSettings } from './changes.ts';
import { readSettings } from './rows.ts';
import { ProjectSettings } from './schema.ts';

export const getSettings = operation({
  id: 'getProjectSettings',
  tag: 'Projects',
  method: 'GET',
  path: '/groups/{groupId}/settings',
  summary: 'Returns the settings of a project.',
  access: 'Project Read Only',
  reply: ProjectSettings,
  status: 200,
  reachedFrom: { project: 'settings' },
  handler: (call) => call.read((tx) => readSettings(tx, call.params.groupId)),
});

export const updateSettings = operation({
  id: 'updateProjectSettings',
  tag: 'Projects',
  method: 'PATCH',
  path: '/groups/{groupId}/settings',
  summary: 'Updates the settings of a project; omitted settings keep their values.',
  access: 'Project Owner',
  body: ProjectSettings,
  reply: ProjectSettings,
  status: 200,
  handler: (call) => call.write((tx) => changeSettings(tx, call.params.groupId, call.body)),
});
