import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../../runtime/plane.ts";
import { createClient } from "../../fixtures/plane-client.ts";
import { sendRaw, targetOf } from "../raw-connection.ts";

const MARKER = "published-cves-secret-marker";
const lines: string[] = [];
let plane: Plane;
let call: ReturnType<typeof createClient>;

beforeAll(async () => {
  plane = await startPlane({ log: (...line) => lines.push(JSON.stringify(line)) });
  call = createClient(plane);
  await plane.ready;
});
afterAll(() => plane.stop());

describe("the log", () => {
  it("holds no credentials and no bodies of requests, however they fail (CVE-2019-11250, CVE-2020-8563, CVE-2020-8565)", async () => {
    const secrets = "/api/v1/namespaces/default/secrets";
    const data = { password: Buffer.from(MARKER).toString("base64") };
    const secret = (more: object) => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "logged" },
      data,
      ...more,
    });
    const statuses = [
      await call("GET", "/api", { headers: { Authorization: `Bearer ${MARKER}` } }),
      await call("GET", "/api", { headers: { Authorization: `Basic ${MARKER}` } }),
      await call("POST", secrets, { body: secret({}) }),
      await call("POST", secrets, { body: secret({ data: { password: `!${MARKER}` } }) }),
      await call("POST", secrets, { body: secret({ type: { [MARKER]: 1 } }) }),
      await call("POST", secrets, { body: `{"kind":"Secret","data":"${MARKER}` }),
      await call("POST", `${secrets}?fieldValidation=Strict`, { body: secret({ [MARKER]: MARKER }) }),
      await call("POST", secrets, { body: MARKER, type: "application/yaml" }),
      await call("POST", secrets, { body: `k8s\0${MARKER}`, type: "application/vnd.kubernetes.protobuf" }),
      await call("PATCH", `${secrets}/logged`, { body: `[{"op":"${MARKER}"}]`, type: "application/json-patch+json" }),
    ].map(({ status }) => status);
    expect(statuses).not.toContain(500);
    const { token } = plane.client;
    const text = lines.join("\n");
    for (const hidden of [MARKER, data.password, token]) expect(text).not.toContain(hidden);
  });
});

describe("metrics", () => {
  it("do not grow with names that clients invent (CVE-2020-8552, CVE-2022-21698, CVE-2023-45142)", async () => {
    const series = async (): Promise<string[]> =>
      (await call("GET", "/metrics")).text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    const round = async (from: number) => {
      for (let index = from; index < from + 60; index += 1) {
        await call("GET", `/apis/made-up-${index}.example.com/v${index}/things-${index}`);
        await call("GET", `/api/v1/namespaces/made-up-${index}/pods/x/made-up-${index}`);
        await call("GET", `/made/up/${index}`, {
          headers: { "User-Agent": `made-up/${index}`, Accept: `made/up${index}` },
        });
        await call("POST", `/api/v1/made-up-${index}?dryRun=${index}`, { body: {}, type: `made/up-${index}` });
        await sendRaw(
          targetOf(plane.client.server),
          `MADEUP${index} /api/v1/pods HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${plane.client.token}\r\nConnection: close\r\n\r\n`,
        );
      }
    };
    await round(0);
    await series();
    const before = await series();
    await round(1000);
    expect((await series()).filter((line) => line.includes("made-up") || /MADEUP/i.test(line))).toEqual([]);
    const names = new Set(before.map((line) => line.slice(0, line.lastIndexOf(" "))));
    const added = (await series()).filter((line) => !names.has(line.slice(0, line.lastIndexOf(" "))));
    // Controllers may have made a request for the first time; 300 requests of the client must not show.
    expect(added.length, added.slice(0, 5).join("\n")).toBeLessThan(60);
  });
});
