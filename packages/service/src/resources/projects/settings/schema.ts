import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Links } from '../../../api/fields.ts';

const flag = (byDefault: boolean) =>
  Type.Optional(Type.Boolean({ default: byDefault, description: 'The value is stored, but has no effect.' }));

/** These settings have no effect, since they are about a user interface that this service does not provide. */
export const ProjectSettings = entity(
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
    { description: 'Settings of a project. They are stored, but have no effect.' },
  ),
  { name: 'projectSettings', self: 'getProjectSettings', params: () => ({}) },
);
export type ProjectSettings = Type.Static<typeof ProjectSettings>;
