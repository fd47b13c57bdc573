import { describe, expect, it } from "vitest";
import { readRequestInfo } from "../../runtime/http/pipeline/request-info.ts";
import { RequestMetrics } from "../../runtime/metrics/request-metrics.ts";
import { servePlane } from "../fixtures/serve-plane.ts";
import { sendRaw, targetOf } from "../hostile/raw-connection.ts";

const { call, running } = servePlane();

const exchange = (bytes: string) => sendRaw(targetOf(running().client.server), bytes);

/** Sends a request unchanged. Returns the status and body of the response. */
async function send(method: string, path: string, authorized = true): Promise<[number, string]> {
  const line = authorized ? `Authorization: Bearer ${running().client.token}\r\n` : "";
  const text = await exchange(`${method} ${path} HTTP/1.1\r\nHost: here\r\n${line}\r\n`);
  const [head = "", body = ""] = text.split("\r\n\r\n");
  return [Number(head.split(" ")[1]), body];
}

describe("a request with an unknown HTTP method", () => {
  it("gets the normal response of paths that accept any method, and 405 for resources", async () => {
    expect(await send("FOO", "/healthz")).toEqual([200, "ok"]);
    expect(await send("FOO", "/nothing")).toEqual([404, "404 page not found\n"]);
    const [status, body] = await send("FOO", "/api/v1/namespaces/default/pods");
    expect([status, JSON.parse(body).reason]).toEqual([405, "MethodNotAllowed"]);
  });

  it("gets 403 without permission for all verbs", async () => {
    const [status, body] = await send("FOO", "/api/v1/namespaces/default/pods", false);
    expect(status).toBe(403);
    expect(JSON.parse(body).message).toContain('User "system:anonymous" cannot  resource "pods"');
  });

  it("does not repeat the request before it on the same connection", async () => {
    const body = '{"metadata":{"generateName":"once-"}}';
    const headers = `Host: here\r\nAuthorization: Bearer ${running().client.token}\r\nContent-Type: application/json\r\n`;
    const post = `POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
    await exchange(`${post}FOO /healthz HTTP/1.1\r\n${headers}\r\n`);
    const { body: list } = await call("GET", "/api/v1/namespaces/default/configmaps");
    const names = list.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    expect(names.filter((name: string) => name.startsWith("once-"))).toHaveLength(1);
  });

  it("gets 405 if the method has invalid characters", async () => {
    expect((await send("F(O)", "/healthz"))[0]).toBe(405);
  });
});

it("metrics count all unknown methods under one label, so clients cannot use up memory", async () => {
  const metrics = new RequestMetrics({ requested: () => false, named: () => false }, {
    isShown: () => true,
    prefix: () => "",
  } as never);
  const request = (method: string) =>
    ({
      req: { headers: {} },
      res: { statusCode: 405, writableEnded: true },
      state: {
        info: readRequestInfo(method, "/version"),
        waitedMs: 0,
        sentBytes: 0,
        terminated: false,
      },
    }) as never;
  for (let index = 0; index < 100; index++) {
    const made = request(`MADE${index}`);
    metrics.begin(made);
    metrics.end(made, 1);
  }
  const text = (await metrics.expose()).toString();
  expect(text).not.toContain("MADE");
  expect(text).toMatch(/^apiserver_request_total\{.*verb="other".*\} 100$/m);
});
