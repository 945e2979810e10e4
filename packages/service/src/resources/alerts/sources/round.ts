import type { ConfigurationRow } from '../configurations/rows.ts';
import { evaluateFor, type Finding } from '../lifecycle/changes.ts';
import type { AlertRow } from '../model/rows.ts';

/** The longest time that an open alert shows an old value, in milliseconds of service time. */
const SHOWN_MS = 60_000;

/**
 * Selects the findings that open, refresh or close an alert. They are evaluated in memory first, since a thousand
 * configurations on a hundred members change little; `reportFinding` evaluates them again in its transaction.
 */
export function changing(
  findings: readonly Finding[],
  configurations: readonly ConfigurationRow[],
  live: readonly AlertRow[],
  now: Date,
): Finding[] {
  const byEvent = Map.groupBy(configurations, ({ groupId, eventType }) => `${groupId} ${eventType}`);
  const alerts = new Map(live.map((alert) => [`${alert.configurationId} ${alert.target}`, alert]));
  const isChanging = (finding: Finding) => {
    const about = byEvent.get(`${finding.groupId} ${finding.eventType}`) ?? [];
    return about.some((configuration) => {
      const evaluation = evaluateFor(configuration, finding);
      if (evaluation === 'unknown') return false;
      const alert = alerts.get(`${configuration.id} ${finding.target.key}`);
      if (evaluation === 'ok') return alert !== undefined;
      return alert === undefined || now.getTime() - alert.updated.getTime() >= SHOWN_MS;
    });
  };
  return findings.filter(isChanging);
}
