/** Collects the top-level document fields that a pipeline or filter reads. */
export class FieldReads {
  readonly #names = new Set<string>();
  #readsWholeDocument = false;

  /** `path` may be dotted; `undefined` means that the whole document is read. */
  add(path: string | undefined): void {
    if (path === undefined) this.#readsWholeDocument = true;
    else this.#names.add(path.split('.', 1)[0] as string);
  }

  /** `undefined` if any field may be read. */
  get fields(): ReadonlySet<string> | undefined {
    return this.#readsWholeDocument ? undefined : this.#names;
  }
}
