import { onTestFinished } from "vitest";

/** Disposes of what a test uses when the test has ended. Node 22 and 23 do not know `await using`. */
export function disposed<T extends AsyncDisposable>(resource: T): T {
  onTestFinished(() => Promise.resolve(resource[Symbol.asyncDispose]()));
  return resource;
}
