import type { ConfigurationRow } from '../configurations/rows.ts';
import { type Finding, judgeFor } from '../lifecycle/changes.ts';
import type { AlertRow } from '../lifecycle/rows.ts';

/** How old what an open alert shows may become, milliseconds of service time. */
const SHOWN_MS = 60_000;

/**
 * The findings that change something, out of all: judged in memory, since of a thousand configurations and a hundred
 * members hardly any begins or ends an alert. Whoever reports them judges them anew, in the transaction of the change.
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
      const judgement = judgeFor(configuration, finding);
      if (judgement === 'unknown') return false;
      const alert = alerts.get(`${configuration.id} ${finding.target.key}`);
      if (judgement === 'well') return alert !== undefined;
      return alert === undefined || now.getTime() - alert.updated.getTime() >= SHOWN_MS;
    });
  };
  return findings.filter(isChanging);
}
