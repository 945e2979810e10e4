import { faults } from '@portolan/foundation/faults';

export const notificationFaults = faults({
  MISSING_NOTIFICATIONS: [400, 'A configuration must have at least one notification.'],
  MAX_NOTIFICATIONS_PER_ALERT_EXCEEDED: [400, 'A configuration can have at most {0} notifications.'],
  NOTIFICATION_INTERVAL_OUT_OF_RANGE: [400, 'The notification interval must be at least 5 minutes, not {0}.'],
  TOO_MANY_GROUP_NOTIFICATIONS: [400, 'A configuration can have at most one notification of the type GROUP.'],
  TOO_MANY_ORG_NOTIFICATIONS: [400, 'A configuration can have at most one notification of the type ORG.'],
  EMAIL_OR_SMS_REQUIRED_FOR_GROUP_NOTIFICATION: [
    400,
    'A notification of the type GROUP requires emailEnabled or smsEnabled.',
  ],
  EMAIL_OR_SMS_REQUIRED_FOR_USER_NOTIFICATION: [
    400,
    'A notification of the type USER requires emailEnabled or smsEnabled.',
  ],
  MISSING_ROLES_FOR_GROUP_NOTIFICATION: [400, 'The list of roles must not be empty.'],
  BAD_USERNAME_REF: [400, 'No user named {0} exists.'],
  BAD_USERNAME_IN_GROUP_REF: [400, 'The user {0} does not belong to the project {1}.'],
  INVALID_DATADOG_API_KEY: [400, 'The Datadog API key must be 32 hexadecimal digits.'],
  INVALID_PAGER_DUTY_SERVICE_KEY: [400, 'The PagerDuty integration key must be 32 hexadecimal digits.'],
  WEBHOOK_URL_NOT_SET: [
    400,
    'The webhook has no URL, and the project has no webhook integration with a URL.',
  ],
  INTEGRATION_NOT_CONFIGURED: [404, 'The project has no integration of the type {0}.'],
});
