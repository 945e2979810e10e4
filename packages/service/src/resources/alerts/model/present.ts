import type { AlertRow } from './rows.ts';

/** Presents an alert as the API returns it, and as webhooks send it. */
export function presentAlert(row: AlertRow, orgId: string) {
  const { id, groupId, configurationId, eventType, status, created, updated, document } = row;
  const { subject, acknowledged } = document;
  return {
    ...subject,
    alertConfigId: configurationId,
    created,
    eventTypeName: eventType,
    groupId,
    id,
    orgId,
    status,
    updated,
    ...(row.lastNotified === undefined ? {} : { lastNotified: row.lastNotified }),
    ...(row.resolved === undefined ? {} : { resolved: row.resolved }),
    ...(acknowledged && {
      acknowledgedUntil: new Date(acknowledged.until),
      acknowledgingUsername: acknowledged.by,
      ...(acknowledged.comment === undefined ? {} : { acknowledgementComment: acknowledged.comment }),
    }),
  };
}
