import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";

const directory = mkdtempSync(join(tmpdir(), "plane-tokens-"));
let plane: Plane;
beforeAll(async () => {
  const file = join(directory, "tokens.csv");
  writeFileSync(file, 'one-token,one,uid-1,"g1,g2"');
  plane = await startPlane({ listen: false, flags: { controllers: "false", "token-auth-file": file } });
});
afterAll(async () => {
  await plane.stop();
  rmSync(directory, { recursive: true });
});

async function whoIs({ fetch }: Pick<Plane, "fetch">, token?: string): Promise<unknown> {
  const response = await fetch("https://plane/apis/authentication.k8s.io/v1/selfsubjectreviews", {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" }),
  });
  if (response.status !== 201) return response.status;
  return JSON.parse(await response.text()).status.userInfo;
}

it("knows the users of --token-auth-file beside its administrator", async () => {
  expect(await whoIs(plane)).toMatchObject({ username: "admin" });
  expect(await whoIs(plane, "one-token")).toEqual({
    username: "one",
    uid: "uid-1",
    groups: ["g1", "g2", "system:authenticated"],
  });
  expect(await whoIs(plane, "other")).toBe(401);
});

it("knows them in a fork, too", async () => {
  const fork = await plane.fork({ listen: false });
  expect(await whoIs(fork, "one-token")).toMatchObject({ username: "one" });
  expect(await whoIs(fork, plane.client.token)).toBe(401);
  await fork.stop();
});
