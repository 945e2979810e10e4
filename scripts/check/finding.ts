/** A violation and its place. `line` counts from 1; without a file it concerns the whole tree. */
export interface Finding {
  readonly file?: string;
  readonly line?: number;
  readonly message: string;
}

export function formatFinding({ file, line, message }: Finding): string {
  if (file === undefined) return message;
  return `${file}${line === undefined ? '' : `:${line}`}  ${message}`;
}
