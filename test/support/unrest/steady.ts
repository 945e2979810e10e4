/** A cluster that is there all the time, and that a driver writes to. */
export const STEADY = 'steady';
