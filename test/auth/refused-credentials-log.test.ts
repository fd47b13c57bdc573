import { expect, it } from "vitest";
import { logRefusals } from "../../runtime/auth/authenticate/log-refusals.ts";
import { startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";

it("a refused token is logged with the reason, and the client is told only Unauthorized", async () => {
  const lines: string[] = [];
  const log = (level: string, message: string) => void lines.push(`${level} ${message}`);
  const plane = await startPlane({ flags: { controllers: "false" }, log });
  try {
    await plane.ready;
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const token = `${part({ alg: "RS256" })}.${part({ iss: "https://kubernetes.default.svc.cluster.local" })}.c2ln`;
    const call = createClient(plane);
    const { status, body } = await call("GET", "/api/v1/pods", { headers: { Authorization: `Bearer ${token}` } });
    expect([status, body.message]).toEqual([401, "Unauthorized"]);
    const refusals = lines.filter((line) => line.startsWith("warn unable to authenticate the request: "));
    expect(refusals).toHaveLength(1);
    expect(refusals[0]).toContain("invalid bearer token");
    expect(refusals.join()).not.toContain(token);
  } finally {
    await plane.stop();
  }
});

it("reasons for refused credentials are logged once a second at most, with the number of those left out", () => {
  const lines: string[] = [];
  let time = 0;
  const refused = logRefusals(
    (_, message) => void lines.push(message),
    () => new Date(time),
  );
  for (const at of [5000, 5400, 5900, 6000]) {
    time = at;
    refused(`bad\n${at}`);
  }
  expect(lines).toEqual([
    'unable to authenticate the request: "bad\\n5000"',
    'unable to authenticate the request: "bad\\n6000" (2 more since the last line)',
  ]);
});
