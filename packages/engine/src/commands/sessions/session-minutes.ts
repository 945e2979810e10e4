/** The idle time after which a session expires. */
export const SESSION_MINUTES = 30;
