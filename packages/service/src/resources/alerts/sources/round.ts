import type { ConfigurationRow } from '../configurations/rows.ts';
import { type Finding, judgeFor } from '../lifecycle/changes.ts';
import type { AlertRow } from '../model/rows.ts';

/** The longest time that an open alert shows an old value, in milliseconds of service time. */
const SHOWN_MS = 60_000;

/**
 * Selects the findings that open, refresh or close an alert. They are judged in memory first, since most of a thousand
 * configurations times a hundred members change nothing; reporting judges them again in its transaction.
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
