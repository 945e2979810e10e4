import { operation } from '../../services.ts';
import { changeSettings } from './changes.ts';
import { readSettings } from './rows.ts';
import { ProjectSettings } from './schema.ts';

export const getSettings = operation('getProjectSettings', {
  summary: 'Answers what is switched on for a project.',
  access: 'Project Read Only',
  reply: ProjectSettings,
  status: 200,
  reachedFrom: { project: 'settings' },
  handler: (call) => call.read((tx) => readSettings(tx, call.params.groupId)),
});

export const updateSettings = operation('updateProjectSettings', {
  summary: 'Switches on or off what the body names.',
  access: 'Project Owner',
  body: ProjectSettings,
  reply: ProjectSettings,
  status: 200,
  handler: (call) => call.write((tx) => changeSettings(tx, call.params.groupId, call.body)),
});
