import { accumulatorSubjects } from './probes/accumulators.ts';
import { commandSubjects } from './probes/commands.ts';
import { expressionSubjects } from './probes/expressions.ts';
import { languageSubjects } from './probes/language.ts';
import { stageSubjects } from './probes/stages.ts';
import type { Subject } from './subject.ts';

/** Everything that the matrix asks. */
export function subjects(): Subject[] {
  return [
    ...commandSubjects(),
    ...stageSubjects(),
    ...expressionSubjects(),
    ...accumulatorSubjects(),
    ...languageSubjects(),
  ];
}
