import type { TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import { COMPLY, type ComplianceWork, settlePolicy } from './changes.ts';

/** Applies the policy of a project to its clusters. */
export const followPolicy: TaskKind<ComplianceWork, Services> = {
  ...COMPLY,
  steps: [{ name: 'comply', commit: (tx, { payload }) => settlePolicy(tx, payload.groupId) }],
};
