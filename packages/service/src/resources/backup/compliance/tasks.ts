import type { TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import { COMPLY, type ComplianceWork, settlePolicy } from './changes.ts';

/** Brings the clusters of a project to what its policy requires. */
export const followPolicy: TaskKind<ComplianceWork, Services> = {
  ...COMPLY,
  steps: [{ name: 'comply', commit: (tx, { payload }) => settlePolicy(tx, payload.groupId) }],
};
