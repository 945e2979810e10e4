import { ServerError } from '../../errors/server-error.ts';
import { planSummary } from '../../observe/plan-summary.ts';
import { type Examined, noneExamined, type StatementEffect } from '../../storage/model/running-statement.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest, StatementOutcome } from '../context/request.ts';

type RunStatement = (index: number, run: () => StatementOutcome) => StatementOutcome;

/**
 * Returns a function that runs a statement of a command. If the profiler may record the command, the function also
 * records the effect of the statement, because each statement has an entry of its own.
 */
export function recordingEffects(
  { database, name }: Pick<CommandRequest, 'database' | 'name'>,
  { store: { running }, parameters, clock }: Pick<ClusterContext, 'store' | 'parameters' | 'clock'>,
): RunStatement {
  // The inserted documents of a command have a single entry.
  if (parameters.profiler.of(database).level === 0 || name === 'insert') return (_, run) => run();
  // A retried statement does not run again, and has no entry.
  const effects: StatementEffect[] = [];
  running.examined.statements = effects;
  return (index, run) => {
    const whole = running.examined;
    const own = noneExamined();
    running.examined = own;
    const began = clock.elapsed();
    const record = (result: Pick<StatementEffect, 'outcome' | 'code'>) => {
      effects.push({ index, ...effectOf(own), micros: (clock.elapsed() - began) * 1000, ...result });
    };
    try {
      const outcome = run();
      const { n, modified = 0, upserted } = outcome;
      const inserted = upserted === undefined ? 0 : 1;
      record({ outcome: { n: n - inserted, modified, upserted: inserted }, code: 0 });
      return outcome;
    } catch (error) {
      // If the statement was interrupted, its entry has the error of the command.
      record({ code: error instanceof ServerError ? error.code : 0 });
      throw error;
    } finally {
      running.examined = whole;
      addTo(whole, own);
    }
  };
}

function effectOf({ keys, documents, keysInserted, keysDeleted, path }: Examined) {
  return {
    keysExamined: keys,
    docsExamined: documents,
    keysInserted,
    keysDeleted,
    planSummary: path === undefined ? undefined : planSummary(path),
  };
}

function addTo(whole: Examined, own: Examined): void {
  whole.keys += own.keys;
  whole.documents += own.documents;
  whole.keysInserted += own.keysInserted;
  whole.keysDeleted += own.keysDeleted;
  whole.sorted ||= own.sorted;
  whole.spilledSorts += own.spilledSorts;
  whole.path ??= own.path;
}
