/**
 * Service time and machine time. Service time is what users see: dates in responses, schedules, expiry, retention. An
 * operator can freeze, advance and scale it. Machine time is for leases, timeouts, nonces, tokens, certificates and
 * rate limits. It cannot be changed.
 */

/** Machine time. */
export interface MachineClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since an arbitrary start. Never decreases. */
  monotonic(): number;
  /**
   * Calls `run` once after `ms` milliseconds. Returns a function that cancels the call. Keeps the process alive only
   * with `keepAlive`.
   */
  after(ms: number, run: () => void, options?: { readonly keepAlive: boolean }): () => void;
}

/**
 * The relation of service time to machine time: `service = at + (machine - since) * rate`. A rate of 0 freezes service
 * time.
 */
export interface ClockSetting {
  /** The service time at the machine time `since`, in milliseconds since the epoch. */
  readonly at: number;
  readonly since: number;
  readonly rate: number;
}

/** Service time, which the operator can change. */
export interface ServiceClock {
  now(): Date;
  setting(): ClockSetting;
  /**
   * Replaces the setting and notifies listeners, so that code that waits for a date can compute the remaining time
   * again.
   */
  set(setting: ClockSetting): void;
  onChange(listener: (setting: ClockSetting) => void): void;
  /**
   * Returns the milliseconds of machine time until service time reaches `date`: 0 if it is past, infinity if it is
   * never reached.
   */
  until(date: Date): number;
}

export const realTime: ClockSetting = { at: 0, since: 0, rate: 1 };

export function machineClock(): MachineClock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after(ms, run, options) {
      // setTimeout overflows beyond 2^31-1 ms and would call `run` at once.
      const timer = setTimeout(run, Math.min(ms, 2_147_483_647));
      if (!options?.keepAlive) timer.unref();
      return () => clearTimeout(timer);
    },
  };
}

/** The greatest service time, because dates have years of four digits. */
export const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Returns the service time at the machine time `machineNow`, at most `LAST_MOMENT`. */
export function serviceTime(setting: ClockSetting, machineNow: number): number {
  return Math.min(LAST_MOMENT, Math.round(setting.at + (machineNow - setting.since) * setting.rate));
}

export function serviceClock(machine: MachineClock, initial: ClockSetting = realTime): ServiceClock {
  let current = initial;
  const listeners: Array<(setting: ClockSetting) => void> = [];
  return {
    now: () => new Date(serviceTime(current, machine.now())),
    setting: () => current,
    set(setting) {
      current = setting;
      for (const listener of listeners) listener(setting);
    },
    onChange: (listener) => void listeners.push(listener),
    until(date) {
      const missing = date.getTime() - serviceTime(current, machine.now());
      if (missing <= 0) return 0;
      const never = current.rate === 0 || date.getTime() > LAST_MOMENT;
      return never ? Number.POSITIVE_INFINITY : missing / current.rate;
    },
  };
}
