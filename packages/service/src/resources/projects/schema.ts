import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly, Tags } from '../../api/fields.ts';
import { Name } from '../organizations/index.ts';

export const Project = entity(
  Type.Object(
    {
      clusterCount: readOnly(Type.Integer({ default: 0, description: 'Clusters in the project.' })),
      created: readOnly(DateTime()),
      id: readOnly(Id({ description: 'The project; group id and project id are the same.' })),
      links: Links,
      name: Name,
      orgId: Id({ description: 'The organization that owns the project.' }),
      regionUsageRestrictions: Type.Optional(
        Choice(['COMMERCIAL_FEDRAMP_REGIONS_ONLY', 'GOV_REGIONS_ONLY'], {
          default: 'COMMERCIAL_FEDRAMP_REGIONS_ONLY',
        }),
      ),
      tags: Tags(),
      withDefaultAlertsSettings: Type.Optional(
        Type.Boolean({
          default: true,
          writeOnly: true,
          description: 'Whether it begins with alert configurations.',
        }),
      ),
    },
    { description: 'Clusters and everything around them: users, addresses, backups, alerts.' },
  ),
  {
    name: 'project',
    self: 'getProject',
    params: (p) => ({ groupId: p.id ?? '', orgId: p.orgId, groupName: p.name }),
  },
);
export type Project = Type.Static<typeof Project>;

export const ProjectUpdate = Type.Object({
  name: Type.Optional(Project.properties.name),
  tags: Project.properties.tags,
});

export const GroupMigration = Type.Object({
  destinationOrgId: Id({ description: 'The organization that gets the project.' }),
  destinationOrgPrivateApiKey: Type.Optional(Type.String({ writeOnly: true })),
  destinationOrgPublicApiKey: Type.Optional(
    Type.String({ description: 'An API key of an owner of that organization.' }),
  ),
  links: Links,
});
export type GroupMigration = Type.Static<typeof GroupMigration>;
