import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Links, readOnly, ruled } from '../../../api/fields.ts';

/** Minimum of every limit; maxima differ. */
export const MIN_LIMIT = 1;

export const ProjectLimit = entity(
  Type.Object(
    {
      currentUsage: readOnly(Type.Integer()),
      defaultLimit: readOnly(Type.Integer()),
      links: Links,
      maximumLimit: readOnly(Type.Integer()),
      name: readOnly(Type.String()),
      value: ruled(Type.Integer({ description: 'Maximum number of these resources.' }), {
        minimum: MIN_LIMIT,
      }),
    },
    { description: 'The maximum number of resources of a kind in a project.' },
  ),
  { name: 'projectLimit', self: 'getProjectLimit', params: (limit) => ({ limitName: limit.name ?? '' }) },
);
