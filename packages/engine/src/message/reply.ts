/** The fields of a command's reply. */
export type Reply = Readonly<Record<string, unknown>>;
