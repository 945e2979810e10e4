import Type from 'typebox';
import { Choice, readOnly } from '../../api/fields.ts';

/** What the nodes of a project's clusters write down for audits (contract 2.16). */
export const AuditingConfiguration = Type.Object(
  {
    auditAuthorizationSuccess: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether authCheck is told of what was allowed, too.' }),
    ),
    auditFilter: Type.Optional(
      Type.String({
        maxLength: 65_536,
        description: 'A query document over audit messages, as JSON; without one every message counts.',
      }),
    ),
    configurationType: readOnly(Choice(['NONE', 'FILTER_BUILDER', 'FILTER_JSON'])),
    enabled: Type.Optional(Type.Boolean({ default: false })),
  },
  { description: 'What the nodes of a project write down for audits.' },
);
export type AuditingConfiguration = Type.Static<typeof AuditingConfiguration>;
