import { isDeepStrictEqual } from 'node:util';
import { inBatches } from '@portolan/foundation/in-batches';
import { Turns } from '@portolan/foundation/turns';
import type { Store } from '../../../store/index.ts';
import type { ConfigurationRow } from '../configurations/rows.ts';
import { costOf } from '../configurations/weight.ts';
import { type Evaluation, evaluateFor, type Finding, reportFinding } from '../lifecycle/changes.ts';
import type { AlertRow } from '../model/rows.ts';

/** Maximum number of findings that only refresh alerts in one round (see `reportFindings`). */
const MAX_REFRESHED = 1000;
/** Number of findings that are refreshed in one transaction. A longer transaction would delay other writes. */
const REFRESHED_AT_ONCE = 50;

/** The data that is read from the store for one round (see `reportFindings`). */
export interface Known {
  readonly configurations: readonly ConfigurationRow[];
  readonly live: readonly AlertRow[];
}

/**
 * Opens, refreshes and closes alerts according to the findings of a round. In a round, the service observes
 * all clusters, or all states in its database.
 */
export async function reportFindings(
  store: Store,
  findings: readonly Finding[],
  known: Known,
  now: Date,
): Promise<void> {
  const { moving, refreshing } = await effectsOf(findings, known, now);
  for (const finding of moving) await store.write((tx) => reportFinding(tx, finding));
  for (const some of inBatches(refreshing, REFRESHED_AT_ONCE)) {
    await store.write(async (tx) => {
      for (const finding of some) await reportFinding(tx, finding);
    });
  }
}

interface Effects {
  /** Findings that open or close alerts. */
  readonly moving: readonly Finding[];
  /** Findings that only refresh alerts. Their number is limited; the least recently refreshed alerts come first. */
  readonly refreshing: readonly Finding[];
}

/**
 * Selects the findings that have an effect. Evaluates them in memory, since a thousand configurations on a hundred
 * members usually change little. `reportFinding` evaluates each selected finding again in its transaction, because
 * other requests run in between.
 */
export async function effectsOf(
  findings: readonly Finding[],
  { configurations, live }: Known,
  now: Date,
): Promise<Effects> {
  const turns = new Turns();
  const byEvent = Map.groupBy(configurations, ({ groupId, eventType }) => `${groupId} ${eventType}`);
  const alerts = new Map(live.map((alert) => [`${alert.configurationId} ${alert.target}`, alert]));
  const moving: Finding[] = [];
  const refreshing: { readonly finding: Finding; readonly since: number }[] = [];
  for (const finding of findings) {
    const about = byEvent.get(`${finding.groupId} ${finding.eventType}`) ?? [];
    const effects: Effect[] = [];
    for (const configuration of about) {
      const alert = alerts.get(`${configuration.id} ${finding.target.key}`);
      effects.push(effectOn(alert, evaluateFor(configuration, finding), now));
      await turns.take(costOf(configuration));
    }
    if (effects.includes('moves')) moving.push(finding);
    else if (effects.some((effect) => typeof effect === 'number'))
      refreshing.push({ finding, since: Math.min(...effects.filter((each) => typeof each === 'number')) });
  }
  refreshing.sort((left, right) => left.since - right.since);
  return { moving, refreshing: refreshing.slice(0, MAX_REFRESHED).map(({ finding }) => finding) };
}

type Effect = 'moves' | 'none' | number;

/**
 * Returns whether an evaluation opens or closes an alert. If it only refreshes the alert, returns when the alert was
 * last refreshed.
 */
function effectOn(alert: AlertRow | undefined, evaluation: Evaluation, now: Date): Effect {
  if (evaluation === 'unknown') return 'none';
  if (evaluation === 'ok') return alert ? 'moves' : 'none';
  if (!alert) return 'moves';
  const isCurrent = alert.updated >= now && isDeepStrictEqual(alert.document.subject, evaluation);
  return isCurrent ? 'none' : alert.updated.getTime();
}
