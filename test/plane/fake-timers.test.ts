import { mock } from "node:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { connect } from "../../runtime/client.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";

const planes: Plane[] = [];
afterEach(async () => {
  vi.useRealTimers();
  mock.timers.reset();
  await Promise.all(planes.splice(0).map((plane) => plane.stop()));
});

async function start(listen: boolean): Promise<Plane> {
  const plane = await startPlane({ listen });
  planes.push(plane);
  await plane.ready;
  return plane;
}

/** Writes, a list that takes several turns of the event loop, and a watch. */
async function use(plane: Plane): Promise<void> {
  const client = await connect({ plane });
  const maps = await client.untyped({ apiVersion: "v1", kind: "ConfigMap" });
  const own = { namespace: "default", labels: { own: "yes" } };
  const selected = { namespace: "default", labelSelector: "own=yes" };
  const data = { text: "x".repeat(2000) };
  const names = Array.from({ length: 500 }, (_, index) => `map-${index}`);
  await Promise.all(names.map((name) => maps.create({ metadata: { ...own, name }, data })));
  expect(await maps.list(selected).all()).toHaveLength(500);
  const informer = maps.informer(selected);
  await informer.start();
  await maps.delete({ namespace: "default", name: "map-0" });
  await informer.caughtUp();
  expect(informer.list()).toHaveLength(499);
  await informer.stop();
}

describe.each([
  ["Vitest", () => void vi.useFakeTimers()],
  [
    "node:test",
    () => mock.timers.enable({ apis: ["setTimeout", "setInterval", "setImmediate", "Date"], now: Date.now() }),
  ],
])("with the fake timers of %s", (_, fake) => {
  it.each([true, false])("a plane that was started before serves and stops (listen: %s)", async (listen) => {
    const plane = await start(listen);
    fake();
    await use(plane);
    await plane.stop();
  });

  it.each([true, false])("a plane starts, serves and stops (listen: %s)", async (listen) => {
    fake();
    const plane = await start(listen);
    await use(plane);
    await plane.stop();
  });

  it("that are taken away in the middle of requests, a plane answers them and later ones", async () => {
    const plane = await start(false);
    fake();
    const used = use(plane);
    await plane.fetch("/version");
    vi.useRealTimers();
    mock.timers.reset();
    await used;
    expect((await plane.fetch("/api/v1/namespaces")).status).toBe(200);
  });
});
