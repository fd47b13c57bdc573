import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { crowdedServer, openStream } from "./crowded-server.ts";

/* Clients request large responses and do not read them: an HTTP/2 window of 0 bytes. */

const MIB = 1024 * 1024;
const MAPS = "/api/v1/namespaces/default/configmaps";
const server = crowdedServer("--request-timeout=6s", "--max-response-bytes-per-user=40000000");

it.each([
  ["180 lists as JSON", 90, MAPS, "application/json"],
  ["180 lists as protobuf", 90, MAPS, "application/vnd.kubernetes.protobuf"],
  ["40 lists as YAML", 20, MAPS, "application/yaml"],
  ["180 single objects", 90, `${MAPS}/large-0`, "application/json"],
])(
  "keeps memory bounded while clients do not read %s, disconnects them, and frees the memory",
  async (_, count, path, accept) => {
    const found = await server.call("bob", "GET", `${MAPS}/large-0`);
    if (found.status === 404) await server.fill(14, 700_000);
    const before = server.memory;
    const sessions = [server.session(0), server.session(0)];
    const opening = sessions.flatMap((session) =>
      Array.from({ length: count }, () => openStream(session, "alice", path, accept)),
    );
    const opened = await Promise.all(opening.map((one) => one.catch(() => undefined)));
    const statuses = new Set(opened.map((one) => one?.status));
    expect([...statuses].every((status) => status === 200 || status === 429 || status === undefined)).toBe(true);
    let most = 0;
    for (let step = 0; step < 5; step++) {
      most = Math.max(most, server.memory);
      await sleep(100);
    }
    expect((most - before) / MIB).toBeLessThan(250);
    expect((await server.call("bob", "GET", path)).status).toBe(200);
    await vi.waitFor(() => expect(opened.every((one) => one?.status !== 200 || one.closed)).toBe(true), {
      timeout: 60_000,
    });
    await vi.waitFor(async () => {
      expect(await server.metric("typeplane_budget_used", "reads")).toBe(0);
      expect(await server.metric("typeplane_budget_used", "response_bytes")).toBe(0);
    }, 60_000);
    for (const session of sessions) session.destroy();
  },
);

it("counts errors that clients do not read, which quote what was sent and are longer", async () => {
  const session = server.session(0);
  const path = `${MAPS}/${"%22".repeat(18_000)}`;
  const opened = await Promise.all(Array.from({ length: 3 }, () => openStream(session, "alice", path)));
  expect(opened.map(({ status }) => status)).toEqual([404, 404, 404]);
  const used = () => server.metric("typeplane_budget_used", "response_bytes");
  expect(await used()).toBeGreaterThan(3 * 90_000);
  session.destroy();
  await vi.waitFor(async () => expect(await used()).toBe(0), 60_000);
});
