import { expect, it } from "vitest";
import { systemClock } from "../../runtime/lib/clock.ts";
import { MemoryEngine } from "../../runtime/store/embedded/memory-engine.ts";
import { openMemoryStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { UnavailableError } from "../../runtime/store/errors.ts";
import type { Store } from "../../runtime/store/store.ts";
import { type Beginning, prepareBeginning, startServer, TOKEN } from "../simulation/simulated-server.ts";

/** A server that creates the initial objects of a cluster one by one, as over etcd. Writes to its store fail while `isAway` is true. */
async function startOver(isAway: () => boolean) {
  const prepared = await prepareBeginning();
  const tables = MemoryEngine.from({ identity: Buffer.alloc(32, "x"), revision: 9, records: [], expiries: [] });
  const beginning: Beginning = { ...prepared, tables };
  const store = openMemoryStore({}, tables);
  const put: Store["put"] = (...write) =>
    isAway() ? Promise.reject(new UnavailableError("deadline exceeded", { maybeApplied: true })) : store.put(...write);
  const changed = new Proxy(store, {
    get(target, member) {
      const value: unknown = member === "put" ? put : Reflect.get(target, member, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const logged: string[] = [];
  const log = (level: string, message: string): void => void (level !== "info" && logged.push(message));
  return { server: await startServer(beginning, { store: changed, clock: systemClock, log, isNew: true }), logged };
}

it("a server becomes ready if its store does not respond at first", async () => {
  let failures = 0;
  const { server, logged } = await startOver(() => ++failures <= 3);
  await server.ready;
  const headers = { authorization: `Bearer ${TOKEN}` };
  expect((await server.fetch("/api/v1/namespaces/kube-system", { headers })).status).toBe(200);
  expect((await server.fetch("/readyz", { headers })).status).toBe(200);
  expect(new Set(logged)).toEqual(
    new Set(["the objects that every cluster starts with are created again: deadline exceeded"]),
  );
  await server.stop();
});

it("a server whose store never responds can be stopped", async () => {
  const { server } = await startOver(() => true);
  const failed = expect(server.ready).rejects.toThrow("deadline exceeded");
  await server.stop();
  await failed;
});
