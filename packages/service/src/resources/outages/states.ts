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
 * Every move between states: what happens → the states in which it may happen and the one that follows. Callers ask for
 * `end`; a pause, or nodes that move, end it in the others before too (`abandon`).
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

/** The state that follows; nothing where the move is not open now. */
export function stateAfter(state: OutageState, move: OutageMove): OutageState | undefined {
  const rule: { from: readonly OutageState[]; to: OutageState } = moves[move];
  return rule.from.includes(state) ? rule.to : undefined;
}

export interface Region {
  readonly provider: string;
  readonly region: string;
}
