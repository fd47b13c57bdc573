import { expect, it, vi } from "vitest";
import { crowdedServer, openStream } from "./crowded-server.ts";

/* The open requests of one user do not reduce the budget of another. */

const MAPS = "/api/v1/namespaces/default/configmaps";
const server = crowdedServer("--max-longrunning-requests-per-user=20", "--max-longrunning-requests=25");

it("refuses watches beyond the limit of a user, then of all users, with 429 and Retry-After; open ones go on", async () => {
  const session = server.session();
  const watch = (user: string) => openStream(session, user, `${MAPS}?watch=1`);
  const alice = await Promise.all(Array.from({ length: 22 }, () => watch("alice")));
  expect(alice.filter(({ status }) => status === 200)).toHaveLength(20);
  const refused = alice.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(2);
  expect(refused[0]?.headers["retry-after"]).toBe("1");
  const bob = await Promise.all(Array.from({ length: 6 }, () => watch("bob")));
  expect(bob.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429]);
  expect((await watch("node")).status).toBe(200);
  const { status, text } = await server.call("alice", "GET", `${MAPS}?watch=1`);
  expect([status, text]).toEqual([429, "Too many requests, please try again later.\n"]);

  const first = alice.find(({ status }) => status === 200);
  let events = "";
  first?.stream.on("data", (piece: Buffer) => {
    events += piece.toString();
  });
  expect((await server.call("alice", "POST", MAPS, { metadata: { name: "seen" } })).status).toBe(201);
  await vi.waitFor(() => expect(events).toContain('"name":"seen"'), 120_000);
  expect(await server.metric("typeplane_budget_used", "longrunning_requests")).toBe(26);
  expect(await server.metric("typeplane_budget_refusals_total", 'limit="user"')).toBe(3);
  expect(await server.metric("typeplane_budget_refusals_total", 'limit="all"')).toBe(1);

  session.destroy();
  await vi.waitFor(
    async () => expect(await server.metric("typeplane_budget_used", "longrunning_requests")).toBe(0),
    120_000,
  );
});
