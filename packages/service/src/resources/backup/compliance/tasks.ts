import type { TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import { applyPolicy, COMPLY, type ComplianceWork } from './changes.ts';

/** Applies the policy of a project to its clusters. */
export const followPolicy: TaskKind<ComplianceWork, Services> = {
  ...COMPLY,
  steps: [{ name: 'comply', commit: (tx, { payload }) => applyPolicy(tx, payload.groupId) }],
};
