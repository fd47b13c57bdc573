import { expect, it, vi } from "vitest";
import { crowdedServer, type OpenStream, openStream } from "./crowded-server.ts";

/* A URL of 50 KB can have a selector of 8,000 requirements, which takes fifty times its length for as long as the watch is open. */

const MAPS = "/api/v1/namespaces/default/configmaps";
const server = crowdedServer("--max-request-body-bytes-per-user=10000000", "--max-request-body-bytes=15000000");

async function watches(user: string, count: number, query: string): Promise<OpenStream[]> {
  const opened: OpenStream[] = [];
  for (let index = 0; index < count; index++) {
    opened.push(await openStream(server.session(), user, `${MAPS}?watch=1${query}`));
  }
  return opened;
}

const statusesOf = (opened: readonly OpenStream[]) => opened.map(({ status }) => status);
const used = () => server.metric("typeplane_budget_used", "request_body_bytes");

async function close(opened: readonly OpenStream[]): Promise<void> {
  for (const { stream } of opened) stream.close();
  await vi.waitFor(async () => expect(await used()).toBe(0), 120_000);
}

it("refuses requests whose parsed URLs take more memory than the limit of the user, or of all users", async () => {
  const selector = Array.from({ length: 8_000 }, (_, index) => `!k${10_000 + index}`).join(",");
  const alice = await watches("alice", 5, `&labelSelector=${selector}`);
  expect(statusesOf(alice)).toEqual([200, 200, 200, 429, 429]);
  const bob = await watches("bob", 3, `&labelSelector=${selector}`);
  expect(statusesOf(bob)).toEqual([200, 429, 429]);
  // Usual requests do not count.
  const usual = await watches("alice", 1, "&labelSelector=app%3Dshop");
  expect(statusesOf(usual)).toEqual([200]);
  expect((await server.call("alice", "GET", MAPS)).status).toBe(200);
  await close([...alice, ...bob, ...usual]);
});

it("refuses requests whose headers take more memory than the limit of the user", async () => {
  const path = `${MAPS}?watch=1&timeoutSeconds=5`;
  const watch = () => server.call("alice", "GET", path, undefined, { "x-filler": "y".repeat(900_000) });
  const replies = await Promise.all(Array.from({ length: 7 }, watch));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect(await used()).toBe(0);
});
