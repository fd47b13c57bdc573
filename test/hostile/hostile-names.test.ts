import { connect as connectHttp2 } from "node:http2";
import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";
import { requestRaw, targetOf } from "./raw-connection.ts";

const { call, running } = servePlane({ "disable-admission-plugins": "ServiceAccount" });

/** Names of inherited properties of every JavaScript object, and names with a meaning in Kubernetes. */
const NAMES = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "prototype", "__defineGetter__"];

/** Sends a request line as administrator. Returns the status of the response. */
async function send(line: string): Promise<number> {
  const { server, token } = running().client;
  return (await requestRaw(targetOf(server), line, `Authorization: Bearer ${token}\r\n`))[0];
}

describe.each(NAMES)("a name such as %s", (name) => {
  it("may be a method, which no resource has", async () => {
    expect(await send(`${name} /api/v1/namespaces/default/pods`)).toBe(405);
    expect(await send(`${name} /api/v1/namespaces/default/pods/x`)).toBe(405);
    expect(await send(`${name} /version`)).toBe(405);
    expect(await send(`${name} /${name}`)).toBe(404);
  });

  it("may be a method over HTTP/2", async () => {
    const { server, certificateAuthority, token } = running().client;
    const session = connectHttp2(server, { ca: certificateAuthority });
    const stream = session.request({ ":method": name, ":path": "/api/v1/pods", authorization: `Bearer ${token}` });
    stream.end();
    const status = await new Promise((resolve, reject) => {
      stream.on("response", (headers) => resolve(headers[":status"]));
      stream.on("error", reject);
    });
    session.destroy();
    expect(status).toBe(405);
  });

  it.each([
    `/${name}`,
    `/api/${name}`,
    `/api/v1/${name}`,
    `/api/v1/${name}/${name}`,
    `/api/v1/namespaces/default/${name}/x`,
    `/api/v1/namespaces/default/pods/x/${name}`,
    `/api/v1/watch/${name}`,
    `/apis/${name}`,
    `/apis/${name}/v1`,
    `/apis/apps/${name}`,
    `/apis/apps/${name}/deployments`,
    `/apis/${name}/${name}/${name}/${name}`,
    `/openapi/v3/apis/${name}/v1`,
    `/openapi/${name}`,
    `/healthz/${name}`,
  ])("gets 404 at %s", async (path) => {
    for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
      const { status } = await call(method, path, method === "GET" || method === "DELETE" ? {} : { body: {} });
      expect([404, 405]).toContain(status);
    }
  });

  it("may be a namespace or an object that does not exist", async () => {
    expect((await call("GET", `/api/v1/namespaces/${name}`)).status).toBe(404);
    expect((await call("GET", `/api/v1/namespaces/${name}/pods/${name}`)).status).toBe(404);
    expect((await call("GET", `/api/v1/namespaces/${name}/pods`)).body.items).toEqual([]);
  });

  it("may be a parameter, a selector, a header and a parameter of a media type", async () => {
    const maps = "/api/v1/namespaces/default/configmaps";
    expect((await call("GET", `${maps}?${name}=${name}&pretty=${name}`)).status).toBe(200);
    expect((await call("GET", `${maps}?labelSelector=constructor,!toString,valueOf+in+(a)`)).body.items).toEqual([]);
    expect((await call("GET", `${maps}?fieldSelector=${name}%3D${name}`)).status).toBe(400);
    expect((await call("GET", maps, { headers: { [name]: name } })).status).toBe(200);
    expect((await call("GET", maps, { headers: { Accept: `application/json;${name}=${name}` } })).status).toBe(200);
    expect((await call("GET", maps, { headers: { Accept: name } })).status).toBe(406);
    expect((await call("GET", maps, { headers: { "Audit-Id": name } })).headers["audit-id"]).toBe(name);
    expect((await call("POST", maps, { type: name, body: "{}" })).status).toBe(415);
    expect((await call("PATCH", `${maps}/x`, { type: name, body: "{}" })).status).toBe(415);
    expect((await call("GET", `/readyz?exclude=${name}`)).status).toBe(200);
  });
});

it("cuts an Audit-ID that is too long for logs", async () => {
  const { headers } = await call("GET", "/version", { headers: { "Audit-Id": "x".repeat(5000) } });
  expect(headers["audit-id"]).toBe("x".repeat(1024));
});

it("leaves metrics readable, without labels that a client invented", async () => {
  const { status, text } = await call("GET", "/metrics");
  expect(status).toBe(200);
  for (const name of NAMES) expect(text).not.toContain(name);
  expect(text).toMatch(/^apiserver_request_total\{.*verb="other"/m);
});
