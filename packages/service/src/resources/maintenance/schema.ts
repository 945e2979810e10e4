import Type from 'typebox';
import { readOnly } from '../../api/fields.ts';

const hour = (description: string) => Type.Integer({ minimum: 0, maximum: 23, description });

const ProtectedHours = Type.Object(
  { endHourOfDay: hour('The hour with which they end.'), startHourOfDay: hour('The first of them.') },
  { description: 'Hours of every day in which no maintenance begins.' },
);

const common = {
  autoDeferOnceEnabled: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether each maintenance is put off by a week by itself.' }),
  ),
  startASAP: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Begins what is scheduled now; false again once it is done.',
    }),
  ),
};
const dayOfWeek = (minimum: number, description: string) =>
  Type.Integer({ minimum, maximum: 7, description });
const hourOfDay = hour('The hour of that day, by UTC.');
const SET = 'The day: 1 is Sunday, 7 Saturday.';
const SHOWN = `${SET} 0: there is no window.`;

/** What a project asks of maintenance. */
export const MaintenanceWindow = Type.Object(
  {
    ...common,
    dayOfWeek: dayOfWeek(1, SET),
    hourOfDay: Type.Optional(hourOfDay),
    numberOfDeferrals: readOnly(Type.Integer({ minimum: 0 })),
    protectedHours: Type.Optional(ProtectedHours),
    timeZoneId: readOnly(Type.String()),
  },
  { description: 'When the clusters of a project are changed by themselves.' },
);
export type MaintenanceWindow = Type.Static<typeof MaintenanceWindow>;

/** As it is shown. */
export const ShownWindow = Type.Object(
  {
    ...common,
    dayOfWeek: dayOfWeek(0, SHOWN),
    hourOfDay,
    numberOfDeferrals: Type.Integer({ minimum: 0, description: 'How often what is ahead was put off.' }),
    protectedHours: Type.Optional(ProtectedHours),
    timeZoneId: Type.String(),
  },
  { description: 'When the clusters of a project are changed by themselves.' },
);

/** Of the first version: what it does not name stays. */
export const FirstWindow = Type.Object({ ...common, dayOfWeek: dayOfWeek(1, SET), hourOfDay });
export const FirstShown = Type.Object({ ...common, dayOfWeek: dayOfWeek(0, SHOWN), hourOfDay });
