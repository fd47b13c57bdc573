/** Resolves like the promise. Rejects with the reason of the signal if that is aborted first; the work behind the promise continues. */
export function unlessAborted<T>(value: T | Promise<T>, signal: AbortSignal | undefined): T | Promise<T> {
  if (!(value instanceof Promise) || signal === undefined) return value;
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
