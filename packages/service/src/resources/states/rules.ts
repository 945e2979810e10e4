/** State names are names of folders. Names that begin with a dot are reserved for the service's own folders. */
export const STATE_NAME = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';
