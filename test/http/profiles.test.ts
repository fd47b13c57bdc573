import { expect, it } from "vitest";
import { startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

it("/debug/pprof/profile answers with a CPU profile of Node, one at a time", async () => {
  const first = call("GET", "/debug/pprof/profile?seconds=1");
  await expect
    .poll(async () => (await call("GET", "/debug/pprof/profile?seconds=1")).text, { timeout: 60_000 })
    .toBe("Could not enable CPU profiling: cpu profiling already in use\n");
  const { status, headers, body } = await first;
  expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
  expect(headers["content-disposition"]).toBe('attachment; filename="profile.cpuprofile"');
  expect(body.nodes[0].callFrame.functionName).toBe("(root)");
  expect(body.samples.length).toBeGreaterThan(0);
});

it("/debug/pprof/heap answers with a sampled heap profile without the contents of objects", async () => {
  const { status, body } = await call("GET", "/debug/pprof/heap?seconds=1");
  expect(status).toBe(200);
  expect(body.head.callFrame.functionName).toBe("(root)");
});

it("/debug/pprof/ lists profiles, limits their duration and needs permission for the path", async () => {
  expect((await call("GET", "/debug/pprof")).headers.location).toBe("/debug/pprof/");
  expect((await call("GET", "/debug/pprof/")).text).toContain("profile?seconds=30");
  expect((await call("GET", "/debug/pprof/other")).status).toBe(404);
  const long = await call("GET", "/debug/pprof/profile?seconds=301");
  expect([long.status, long.text]).toEqual([400, "profile duration exceeds 300 seconds\n"]);
  const jane = { headers: { "Impersonate-User": "jane" } };
  expect((await call("GET", "/debug/pprof/heap?seconds=1", jane)).body.message).toContain(
    'cannot get path "/debug/pprof/heap"',
  );
  expect((await call("GET", "/debug/pprof/heap", { anonymous: true })).status).toBe(403);
});

it("--profiling=false switches the profiles off", async () => {
  const plane = await startPlane({ flags: { controllers: "false", profiling: "false" } });
  try {
    await plane.ready;
    for (const path of ["/debug/pprof", "/debug/pprof/", "/debug/pprof/heap"])
      expect((await createClient(plane)("GET", path)).status).toBe(404);
  } finally {
    await plane.stop();
  }
});
