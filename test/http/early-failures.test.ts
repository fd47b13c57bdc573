import { afterAll, beforeAll, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";

let plane: Plane;
let call: ReturnType<typeof createClient>;

beforeAll(async () => {
  plane = await startPlane({ flags: { controllers: "false" } });
  call = createClient(plane);
});

afterAll(() => plane.stop());

it.each([
  [{ "Impersonate-Group": "g" }, "[{Group  g    }]"],
  [{ "Impersonate-Uid": "7" }, "[{UID  7  authentication.k8s.io/v1  }]"],
  [{ "Impersonate-Extra-A": "x" }, "[{UserExtra  x  authentication.k8s.io/v1  a}]"],
])("impersonating nobody is refused in plain text: %j", async (headers, shown) => {
  const refused = await call("GET", "/api/v1/pods?limit=1", { headers });
  expect([refused.status, refused.headers["content-type"]]).toEqual([500, "text/plain; charset=utf-8"]);
  expect(refused.text).toBe(
    `Internal Server Error: "/api/v1/pods?limit=1": requested ${shown} without impersonating a user\n`,
  );
});

it("refusals are printed for people as answers are", async () => {
  const read = async (headers: Record<string, string>, query = "") =>
    (await call("GET", `/api/v1/namespaces/default/pods/absent${query}`, { headers })).text;
  expect(await read({})).toMatch(/^\{"kind"/);
  expect(await read({ "User-Agent": "curl/8" })).toMatch(/^\{\n {2}"kind"/);
  expect(await read({}, "?pretty=true")).toMatch(/^\{\n {2}"kind"/);
});

it("refusals of access are not to be sniffed at", async () => {
  const refused = await call("GET", "/api/v1/pods", { headers: { "Impersonate-User": "nobody" } });
  expect([refused.status, refused.headers["x-content-type-options"]]).toEqual([403, "nosniff"]);
});
