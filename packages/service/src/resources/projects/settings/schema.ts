import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Links } from '../../../api/fields.ts';

const flag = (byDefault: boolean, meaning: string) =>
  Type.Optional(
    Type.Boolean({ default: byDefault, description: `${meaning}. The value is stored, but has no effect.` }),
  );

/** These settings have no effect, since they are about a user interface that this service does not provide. */
export const ProjectSettings = entity(
  Type.Object(
    {
      isCollectDatabaseSpecificsStatisticsEnabled: flag(
        true,
        'Whether to collect statistics of each database',
      ),
      isDataExplorerEnabled: flag(true, 'Whether the user interface shows the documents of clusters'),
      isDataExplorerGenAIFeaturesEnabled: flag(
        true,
        'Whether the user interface writes queries with generative AI',
      ),
      isDataExplorerGenAISampleDocumentPassingEnabled: flag(
        false,
        'Whether requests to generative AI may contain sample documents',
      ),
      isExtendedStorageSizesEnabled: flag(
        false,
        'Whether clusters may have disks larger than their instance sizes normally allow',
      ),
      isPerformanceAdvisorEnabled: flag(true, 'Whether the performance advisor suggests indexes'),
      isRealtimePerformancePanelEnabled: flag(
        true,
        'Whether the user interface shows the current load of clusters',
      ),
      isSchemaAdvisorEnabled: flag(true, 'Whether the schema advisor recommends changes'),
      links: Links,
    },
    { description: 'Settings of a project. They are stored, but have no effect.' },
  ),
  { name: 'projectSettings', self: 'getProjectSettings', params: () => ({}) },
);
export type ProjectSettings = Type.Static<typeof ProjectSettings>;
