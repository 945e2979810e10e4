import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Links, readOnly } from '../../../api/fields.ts';

export const ProjectLimit = entity(
  Type.Object(
    {
      currentUsage: readOnly(Type.Integer()),
      defaultLimit: readOnly(Type.Integer()),
      links: Links,
      maximumLimit: readOnly(Type.Integer()),
      name: readOnly(Type.String()),
      value: Type.Integer({ description: 'How many the project may hold.' }),
    },
    { description: 'How many of a kind a project may hold.' },
  ),
  { name: 'projectLimit', self: 'getProjectLimit', params: (limit) => ({ limitName: limit.name ?? '' }) },
);
