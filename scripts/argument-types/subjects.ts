import { accumulatorSubjects } from './probes/accumulators.ts';
import { commandSubjects } from './probes/commands.ts';
import { expressionSubjects } from './probes/expressions.ts';
import { languageSubjects } from './probes/language.ts';
import { stageSubjects } from './probes/stages.ts';
import type { Subject } from './subject.ts';

/** Everything that the matrix tests. The parts have separate pages, and take about the same time. */
export const parts = {
  commands: commandSubjects,
  language: () => [...stageSubjects(), ...accumulatorSubjects(), ...languageSubjects()],
  expressions: expressionSubjects,
} as const satisfies Readonly<Record<string, () => Subject[]>>;

export function subjects(): Subject[] {
  return Object.values(parts).flatMap((part) => part());
}
