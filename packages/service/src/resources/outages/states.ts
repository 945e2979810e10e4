export const outageStates = [
  'START_REQUESTED',
  'STARTING',
  'SIMULATING',
  'RECOVERY_REQUESTED',
  'RECOVERING',
  'COMPLETE',
] as const;
export type OutageState = (typeof outageStates)[number];

/**
 * All state transitions, with the states in which each transition is allowed. A caller requests `end`. A pause of the
 * cluster, or a move of its nodes, causes `abandon`, which is allowed even before all members have stopped.
 */
const moves = {
  start: { from: ['START_REQUESTED'], to: 'STARTING' },
  cut: { from: ['STARTING'], to: 'SIMULATING' },
  end: { from: ['SIMULATING'], to: 'RECOVERY_REQUESTED' },
  abandon: { from: ['START_REQUESTED', 'STARTING', 'SIMULATING'], to: 'RECOVERY_REQUESTED' },
  recover: { from: ['RECOVERY_REQUESTED'], to: 'RECOVERING' },
  complete: { from: ['RECOVERING'], to: 'COMPLETE' },
} as const satisfies Record<string, { from: readonly OutageState[]; to: OutageState }>;

export type OutageMove = keyof typeof moves;

/** Returns the state after a transition; undefined if the current state does not allow it. */
export function stateAfter(state: OutageState, move: OutageMove): OutageState | undefined {
  const rule: { from: readonly OutageState[]; to: OutageState } = moves[move];
  return rule.from.includes(state) ? rule.to : undefined;
}

export interface Region {
  readonly provider: string;
  readonly region: string;
}
