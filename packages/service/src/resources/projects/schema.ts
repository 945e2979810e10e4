import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly, Tags } from '../../api/fields.ts';
import { Name } from '../organizations/index.ts';

export const Project = entity(
  Type.Object(
    {
      clusterCount: readOnly(Type.Integer({ default: 0, description: 'Number of clusters in the project.' })),
      created: readOnly(DateTime()),
      id: readOnly(Id({ description: 'Id of the project, also called group id.' })),
      links: Links,
      name: Name,
      orgId: Id({ description: 'Id of the organization that owns the project.' }),
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
          description: 'Whether the new project gets the default alert configurations.',
        }),
      ),
    },
    {
      description:
        'A project: a group of clusters with their database users, access list, backups and alerts.',
    },
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
  destinationOrgId: Id({ description: 'Id of the organization to which the project moves.' }),
  destinationOrgPrivateApiKey: Type.Optional(Type.String({ writeOnly: true })),
  destinationOrgPublicApiKey: Type.Optional(
    Type.String({
      description: 'Public key of an API key with the role `ORG_OWNER` in the destination organization.',
    }),
  ),
  links: Links,
});
export type GroupMigration = Type.Static<typeof GroupMigration>;
