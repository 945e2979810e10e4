import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Links, readOnly, ruled } from '../../api/fields.ts';

const hour = (description: string) => Type.Integer({ minimum: 0, maximum: 23, description });

const ProtectedHours = Type.Object(
  {
    endHourOfDay: hour('Hour of the day, in UTC, at which the protected hours end.'),
    startHourOfDay: hour('Hour of the day, in UTC, at which the protected hours begin.'),
  },
  { description: 'Hours of each day during which no maintenance starts.' },
);

/** If both hours are absent, the window has no protected hours. */
const RequestedHours = Type.Object(
  {
    endHourOfDay: Type.Optional(ProtectedHours.properties.endHourOfDay),
    startHourOfDay: Type.Optional(ProtectedHours.properties.startHourOfDay),
  },
  {
    description:
      'Hours of each day during which no maintenance starts. An empty object removes the protected hours.',
  },
);

const common = {
  autoDeferOnceEnabled: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether the service defers every maintenance by a week.' }),
  ),
  startASAP: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        '`true` starts scheduled maintenance immediately. The field becomes `false` when the maintenance is done.',
    }),
  ),
};
const hourOfDay = hour('Hour of the day, in UTC, at which the window begins.');
const SET = 'Day of the week: 1 is Sunday, 7 is Saturday.';
const NONE = `${SET} 0 means that there is no window.`;
const shownDay = Type.Integer({ minimum: 0, maximum: 7, description: NONE });
/**
 * The schema accepts 0 so that callers can send back what they have read. The rules reject 0 if the project has a
 * window.
 */
const givenDay = ruled(Type.Integer({ maximum: 7, description: NONE }), { minimum: 0 });

/** The maintenance window as a request body. */
export const MaintenanceWindow = Type.Object(
  {
    ...common,
    dayOfWeek: givenDay,
    hourOfDay: Type.Optional(hourOfDay),
    numberOfDeferrals: readOnly(
      Type.Integer({
        minimum: 0,
        description: 'Number of times the scheduled maintenance has been deferred.',
      }),
    ),
    protectedHours: Type.Optional(RequestedHours),
    timeZoneId: readOnly(Type.String({ description: 'Time zone of all hours; always UTC.' })),
  },
  { description: 'The maintenance window of a project.' },
);
export type MaintenanceWindow = Type.Static<typeof MaintenanceWindow>;

const rule = { name: 'maintenanceWindow', self: 'getMaintenanceWindow', params: () => ({}) };

/** The maintenance window as a response. */
export const WindowView = entity(
  Type.Object(
    {
      ...common,
      dayOfWeek: shownDay,
      hourOfDay,
      links: Links,
      numberOfDeferrals: Type.Integer({
        minimum: 0,
        description: 'Number of times the scheduled maintenance has been deferred.',
      }),
      protectedHours: Type.Optional(ProtectedHours),
      timeZoneId: Type.String({ description: 'Time zone of all hours; always UTC.' }),
    },
    { description: 'The maintenance window of a project.' },
  ),
  rule,
);

/** The body and the response in the first version. Absent fields stay unchanged. */
export const FirstWindow = Type.Object({ ...common, dayOfWeek: givenDay, hourOfDay });
export const FirstWindowView = entity(
  Type.Object({ ...common, dayOfWeek: shownDay, hourOfDay, links: Links }),
  rule,
);
