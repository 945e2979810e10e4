import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Links, readOnly, ruled } from '../../../api/fields.ts';

/** Of every limit; the most differs. */
export const LEAST_LIMIT = 1;

export const ProjectLimit = entity(
  Type.Object(
    {
      currentUsage: readOnly(Type.Integer()),
      defaultLimit: readOnly(Type.Integer()),
      links: Links,
      maximumLimit: readOnly(Type.Integer()),
      name: readOnly(Type.String()),
      value: ruled(Type.Integer({ description: 'How many the project may hold.' }), { minimum: LEAST_LIMIT }),
    },
    { description: 'How many of a kind a project may hold.' },
  ),
  { name: 'projectLimit', self: 'getProjectLimit', params: (limit) => ({ limitName: limit.name ?? '' }) },
);
