/** Carries out changes of one thing one after the other, whether or not those before succeed. */
export function oneAfterAnother(): (change: () => Promise<void>) => Promise<void> {
  let last = Promise.resolve();
  return (change) => {
    const done = last.then(change);
    last = done.catch(() => {});
    return done;
  };
}
