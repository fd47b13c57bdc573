import { expect, it } from "vitest";
import { startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

it("/debug/pprof/profile records one CPU profile at a time, until its client leaves, and answers with it", async () => {
  const leaving = new AbortController();
  const path = "/debug/pprof/profile?seconds=300";
  const both = [1, 2].map(() => call("GET", path, { signal: leaving.signal }));
  // The other profile is recorded at the same time, whichever started first.
  const refused = await Promise.race(both);
  expect([refused.status, refused.text]).toEqual([
    500,
    "Could not enable CPU profiling: cpu profiling already in use\n",
  ]);
  leaving.abort();
  expect((await Promise.allSettled(both)).map((each) => each.status).sort()).toEqual(["fulfilled", "rejected"]);

  const next = () => call("GET", "/debug/pprof/profile?seconds=1");
  let answer = await next();
  await expect
    .poll(async () => {
      if (answer.status === 500) answer = await next();
      return answer.status;
    })
    .toBe(200);
  const { headers, body } = answer;
  expect(headers["content-type"]).toBe("application/json");
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
