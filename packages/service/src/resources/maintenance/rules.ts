import { badValue, generalFaults } from '../../api/faults.ts';
import type { EventTypes } from '../../events/index.ts';
import { maintenanceFaults } from './faults.ts';
import type { Maintenance } from './rows.ts';
import type { MaintenanceWindow } from './schema.ts';
import { isProtected, type Window } from './window.ts';

export const maintenanceEvents = {
  MAINTENANCE_IN_ADVANCED: 'Maintenance was scheduled',
  MAINTENANCE_AUTO_DEFERRED: 'Maintenance was deferred automatically',
  MAINTENANCE_STARTED: 'Maintenance started',
  MAINTENANCE_NO_LONGER_NEEDED: 'Maintenance is no longer needed',
} as const satisfies EventTypes;

export const MAX_DEFERRALS = 2;

/** Minimum number of unprotected hours per day. */
const MIN_OPEN_HOURS = 6;

/**
 * Applies a body to the window; absent fields stay unchanged. Returns undefined if the project has no window
 * and the body repeats what the service returns for such a project: day 0, hour 0 and no protected hours.
 * Throws for any other day below 1, and for invalid protected hours.
 */
export function readWindow(body: MaintenanceWindow, before: Window | undefined): Window | undefined {
  if (body.dayOfWeek < 1) {
    const repeats = body.dayOfWeek === 0 && !body.hourOfDay && body.protectedHours === undefined;
    if (before !== undefined || !repeats) throw generalFaults.ATTRIBUTE_NEGATIVE_OR_ZERO('dayOfWeek');
    return undefined;
  }
  const hour = body.hourOfDay ?? before?.hour ?? 0;
  const protectedHours =
    body.protectedHours === undefined ? before?.protectedHours : readHours(body.protectedHours);
  if (protectedHours === undefined) return { day: body.dayOfWeek, hour };
  const open = Array.from({ length: 24 }, (_, each) => each).filter(
    (each) => !isProtected(protectedHours, each),
  );
  if (open.length < MIN_OPEN_HOURS) {
    throw badValue('protectedHours', `must leave at least ${MIN_OPEN_HOURS} hours of a day`);
  }
  if (!open.includes(hour)) throw badValue('protectedHours', 'must not include the hour of the window');
  return { day: body.dayOfWeek, hour, protectedHours };
}

function readHours({
  startHourOfDay: start,
  endHourOfDay: end,
}: NonNullable<MaintenanceWindow['protectedHours']>): Window['protectedHours'] {
  if (start === undefined && end === undefined) return undefined;
  if (start === undefined) throw generalFaults.MISSING_ATTRIBUTE('protectedHours.startHourOfDay');
  if (end === undefined) throw generalFaults.MISSING_ATTRIBUTE('protectedHours.endHourOfDay');
  return { start, end };
}

export function requireWindow({ window }: Maintenance): Window {
  if (window === undefined) throw maintenanceFaults.PLATFORM_MAINTENANCE_WINDOW_NOT_DEFINED();
  return window;
}

export function requireScheduled({ scheduled, started }: Maintenance): Date {
  if (scheduled === undefined || started) throw maintenanceFaults.PLATFORM_MAINTENANCE_NOT_SCHEDULED();
  return scheduled;
}
