/** Returns a function that runs changes one after another, even if an earlier one fails. */
export function oneAfterAnother(): (change: () => Promise<void>) => Promise<void> {
  let last = Promise.resolve();
  return (change) => {
    const done = last.then(change);
    last = done.catch(() => {});
    return done;
  };
}
