import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { crowdedServer, openStream } from "./crowded-server.ts";

/*
 * A client opens watches and never reads them: an HTTP/2 window of 0 bytes. Their objects are large, and without a limit all of them would
 * wait in memory for each watch.
 */

const MIB = 1024 * 1024;
const MAPS = "/api/v1/namespaces/default/configmaps";
const LARGE = { value: "x".repeat(790_000) };
const server = crowdedServer("--response-progress-timeout=8s");

it("keeps memory bounded while watches of large objects are not read, ends them, and gives the memory back", async () => {
  await server.fill(16, 790_000);
  const before = server.memory;
  const sessions = [server.session(0), server.session(0), server.session(0), server.session(0)];
  const types = ["application/json", "application/vnd.kubernetes.protobuf"];
  const opened = await Promise.all(
    sessions.flatMap((session, index) =>
      Array.from({ length: 100 }, () => openStream(session, "alice", `${MAPS}?watch=1`, types[index % 2])),
    ),
  );
  expect(opened.every(({ status }) => status === 200)).toBe(true);
  let most = 0;
  // The pending changes are the same for all watches together.
  for (let change = 0; change < 20; change++) {
    const body = { metadata: { name: "large-0" }, data: { ...LARGE, change: String(change) } };
    expect((await server.call("bob", "PUT", `${MAPS}/large-0`, body)).status).toBe(200);
    await sleep(50);
    most = Math.max(most, server.memory);
  }
  expect((most - before) / MIB).toBeLessThan(200);
  await vi.waitFor(() => expect(opened.every(({ closed }) => closed)).toBe(true), { timeout: 120_000, interval: 200 });
  expect(await server.metric("typeplane_budget_used", "longrunning_requests")).toBe(0);
  expect(await server.metric("typeplane_budget_used", "response_bytes")).toBe(0);
  expect(await server.metric("typeplane_budget_used", "watch_backlog_bytes")).toBe(0);
  for (const session of sessions) session.destroy();
  await vi.waitFor(() => expect((server.memory - before) / MIB).toBeLessThan(120), { timeout: 120_000, interval: 500 });
});

it("sends everything, in order and unharmed, to a client that reads large objects slowly", async () => {
  const { stream, status } = await openStream(server.session(1024), "bob", `${MAPS}?watch=1&timeoutSeconds=2`);
  expect(status).toBe(200);
  let text = "";
  stream.setEncoding("utf8");
  for await (const piece of stream) text += piece;
  const events = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { object: { data: { value: string } } });
  expect(events).toHaveLength(16);
  expect(events.every(({ object }) => object.data.value === LARGE.value)).toBe(true);
});
