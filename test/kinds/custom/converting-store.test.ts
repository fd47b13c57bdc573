import { expect, it } from "vitest";
import type { ConvertedValues } from "../../../runtime/kinds/custom/conversion/converted-values.ts";
import { convertingStore } from "../../../runtime/kinds/custom/conversion/converting-store.ts";
import type { Store, StoreEvent, WatchReceiver } from "../../../runtime/store/store.ts";

const MIB = 1024 * 1024;

/** A store that only watches, and the receiver of its events. */
function watchedStore() {
  let receiver: WatchReceiver | undefined;
  let closed = 0;
  const store = {
    watch(_request: unknown, given: WatchReceiver) {
      receiver = given;
      return { requestProgress: () => undefined, close: () => void closed++ };
    },
  } as unknown as Store;
  return {
    store,
    send: (events: StoreEvent[], revision: number) => receiver?.changed(events, revision),
    closed: () => closed,
  };
}

it("ends a watch whose events wait for a webhook that does not respond, before they fill the memory", () => {
  const values = { showNow: () => undefined, show: () => new Promise(() => undefined) } as unknown as ConvertedValues;
  const { store, send, closed } = watchedStore();
  const failures: string[] = [];
  const receiver: WatchReceiver = {
    changed: () => expect.unreachable(),
    progress: () => undefined,
    failed: ({ message }) => void failures.push(message),
  };
  convertingStore(store, values).watch({ prefix: "/registry/" } as never, receiver);
  const value = new Uint8Array(MIB);
  for (let revision = 1; revision <= 60; revision++)
    send([{ type: "put", key: "/registry/a", value } as never], revision);
  expect(failures).toEqual([]);
  for (let revision = 61; revision <= 80; revision++)
    send([{ type: "put", key: "/registry/a", value } as never], revision);
  expect(failures).toEqual(["too many events wait for the conversion webhook"]);
  expect(closed()).toBe(1);
});
