import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Links } from '../../../api/fields.ts';
import { operation } from '../../services.ts';
import { readSettings, saveSettings } from './rows.ts';

const flag = (byDefault: boolean) => Type.Optional(Type.Boolean({ default: byDefault }));

/** Kept and answered: the pages that they speak of are not part of this service. */
const ProjectSettings = entity(
  Type.Object(
    {
      isCollectDatabaseSpecificsStatisticsEnabled: flag(true),
      isDataExplorerEnabled: flag(true),
      isDataExplorerGenAIFeaturesEnabled: flag(true),
      isDataExplorerGenAISampleDocumentPassingEnabled: flag(false),
      isExtendedStorageSizesEnabled: flag(false),
      isPerformanceAdvisorEnabled: flag(true),
      isRealtimePerformancePanelEnabled: flag(true),
      isSchemaAdvisorEnabled: flag(true),
      links: Links,
    },
    { description: 'What is switched on for a project.' },
  ),
  { name: 'projectSettings', self: 'getProjectSettings', params: () => ({}) },
);
export type ProjectSettings = Type.Static<typeof ProjectSettings>;

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
  handler: (call) =>
    call.write(async (tx) => {
      const settings = { ...(await readSettings(tx, call.params.groupId)), ...call.body };
      await saveSettings(tx, call.params.groupId, settings);
      return settings;
    }),
});
