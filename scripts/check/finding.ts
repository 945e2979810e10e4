/**
 * A violation of a rule, and its position. `line` starts at 1. Without a file, the violation concerns the whole tree.
 */
export interface Finding {
  readonly file?: string;
  readonly line?: number;
  readonly message: string;
}

export function formatFinding({ file, line, message }: Finding): string {
  if (file === undefined) return message;
  return `${file}${line === undefined ? '' : `:${line}`}  ${message}`;
}
