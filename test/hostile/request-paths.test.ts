import { connect as connectHttp2 } from "node:http2";
import { describe, expect, it } from "vitest";
import type { LabelRequirement } from "../../runtime/contract/selector.ts";
import { keepBrokenBytes } from "../../runtime/go/broken-bytes.ts";
import { integerParameter } from "../../runtime/handlers/query-options.ts";
import { createMediaTypes } from "../../runtime/http/negotiate/media-types.ts";
import { negotiateClauses, parseAccept } from "../../runtime/http/negotiate/negotiate.ts";
import { readRequestInfo } from "../../runtime/http/pipeline/request-info.ts";
import { compileLabelSelector } from "../../runtime/values/label-selector.ts";
import { validateFieldManager } from "../../runtime/values/manager-name.ts";
import { servePlane } from "../fixtures/serve-plane.ts";
import { threadCpuMs } from "../tools/thread-cpu.ts";
import { expectLinear } from "./growth.ts";
import { requestRaw, targetOf } from "./raw-connection.ts";

const { call, running } = servePlane();

/** Sends a request line unchanged and anonymously. Returns the status and body of the response. */
const send = (line: string) => requestRaw(targetOf(running().client.server), line);

describe("reading a request takes linear time", () => {
  const read = (target: string) => readRequestInfo("GET", target);
  it.each<[string, (size: number) => string]>([
    ["slashes before a segment", (n) => `/a${"/".repeat(n)}b`],
    ["slashes at the end", (n) => `/version${"/".repeat(n)}`],
    ["slashes at the beginning", (n) => `${"/".repeat(n)}api/v1/pods`],
    ["segments", (n) => `/api/v1${"/a".repeat(n)}`],
    ["escapes", (n) => `/api/v1/pods/${"%2f".repeat(n)}`],
    ["broken escapes", (n) => `/api/v1/pods/${"%".repeat(n)}`],
    ["bytes that are no UTF-8 in a path", (n) => `/api/v1/pods/${"%ff".repeat(n)}`],
    ["a scheme", (n) => `${"a".repeat(n)}:`],
    ["an authority", (n) => `http://${"a".repeat(n)}`],
    ["parameters", (n) => `/api/v1/pods?${"a=b&".repeat(n)}`],
    ["broken parameters", (n) => `/api/v1/pods?${"a=%z&".repeat(n)}`],
    ["bytes that are no UTF-8 in a label selector", (n) => `/api/v1/pods?labelSelector=${"%ff".repeat(n)}`],
    ["bytes that are no UTF-8 in a field selector", (n) => `/api/v1/pods?fieldSelector=${"%ff".repeat(n)}`],
    ["requirements on labels", (n) => `/api/v1/pods?labelSelector=${"a!=b,".repeat(n)}a`],
    ["values of a label", (n) => `/api/v1/pods?labelSelector=a+in+(${"b,".repeat(n)}b)`],
    ["requirements on fields", (n) => `/api/v1/pods?fieldSelector=${"a!=b,".repeat(n)}a=b`],
    ["escapes in a field selector", (n) => `/api/v1/pods?fieldSelector=a=${"%5C%5C".repeat(n)}`],
  ])("%s", async (_, make) => expectLinear(make, read, { size: 60_000 }));

  it.each<[string, (size: number) => string]>([
    ["unprintable characters", (n) => "\u0001".repeat(n)],
    ["letters", (n) => "a".repeat(n)],
  ])("a field manager of many %s", async (_, make) => expectLinear(make, (name) => validateFieldManager(name)));

  it("numbers of many digits", async () => {
    const read = (digits: string) => integerParameter(new URLSearchParams({ limit: digits }), "limit");
    await expectLinear((size) => "9".repeat(size), read, { size: 200_000 });
    await expectLinear((size) => `-${"0".repeat(size)}`, read, { size: 200_000 });
    expect(read("+00007")).toBe(7);
    expect(() => read("9223372036854775808")).toThrow("value out of range");
  });

  it.each<[string, (index: number) => LabelRequirement]>([
    ["labels that are not there", (n) => ({ key: `k${n}`, operator: "!", values: [] })],
    ["values that a label does not have", (n) => ({ key: "a", operator: "notin", values: [`v${n}`] })],
    ["values that a label has", () => ({ key: "a", operator: "in", values: ["b"] })],
  ])("a thousand objects matched with 100,000 requirements on %s", (_, make) => {
    const matches = compileLabelSelector(Array.from({ length: 100_000 }, (_each, index) => make(index)));
    const started = threadCpuMs();
    for (let object = 0; object < 1000; object++) expect(matches({ a: "b", c: String(object) })).toBe(true);
    expect(threadCpuMs() - started).toBeLessThan(1000);
    expect(matches({ a: "v1", k1: "" })).toBe(false);
  });

  const types = createMediaTypes({ vendor: "kubernetes", domain: "k8s.io" });
  const rules = { watch: true, transforms: true };
  it.each<[string, (size: number) => string]>([
    ["media types", (n) => "a/b,".repeat(n)],
    ["wildcards", (n) => "*/*;q=0.1,".repeat(n)],
    ["parameters", (n) => `application/json${";a=b".repeat(n)}`],
    ["slashes", (n) => "/".repeat(n)],
  ])("an Accept header of many %s", async (_, make) => {
    await expectLinear(make, (header) => negotiateClauses(header, types, rules), { size: 200_000, boundMs: 500 });
  });

  it("does not read more of an Accept header than any client sends", () => {
    expect(parseAccept("a/b,".repeat(200_000)).length).toBeLessThanOrEqual(100);
  });

  it("distinguishes bytes that are not UTF-8 from those that are", () => {
    const bytes = Buffer.from("61c3a9ff80e282ace2f09f9880f0c0afeda080", "hex");
    const standIn = (byte: number) => String.fromCodePoint(0x10ff00 + byte);
    const kept = [
      "aé",
      standIn(0xff),
      standIn(0x80),
      "€",
      standIn(0xe2),
      "😀",
      ...[0xf0, 0xc0, 0xaf, 0xed, 0xa0, 0x80].map(standIn),
    ];
    expect(keepBrokenBytes(bytes)).toBe(kept.join(""));
  });
});

describe("a server that gets odd request targets", () => {
  it.each([
    ["slashes", `/a${"/".repeat(200_000)}b`],
    ["slashes after a path it knows", `/version${"/".repeat(200_000)}b`],
  ])("answers an anonymous path of 200,000 %s at once", async (_, path) => {
    const started = process.cpuUsage();
    expect((await send(`GET ${path}`))[0]).toBe(403);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(3000);
  });

  it("answers such a path over HTTP/2, too", async () => {
    const { server, certificateAuthority } = running().client;
    const session = connectHttp2(server, { ca: certificateAuthority, maxSendHeaderBlockLength: 2 ** 20 });
    const stream = session.request({ ":path": `/a${"/".repeat(60_000)}b` });
    const status = await new Promise((resolve, reject) => {
      stream.on("response", (headers) => resolve(headers[":status"]));
      stream.on("error", reject);
    });
    session.destroy();
    expect(status).toBe(403);
  });

  it("answers 414 to a URL of more than 256 KiB, and reads one of less", async () => {
    const target = (bytes: number) => `GET ${"/api/v1/pods?labelSelector=a".padEnd(bytes, ",a")}`;
    expect((await send(target(256 * 1024 + 10)))[0]).toBe(414);
    expect((await send(target(256 * 1024)))[0]).toBe(403);
  });

  it.each([
    ["a broken escape", "/api/v1/%zz"],
    ["half an escape at the end", "/api/v1/pods/a%2"],
    ["an unescaped control character", "/api/v1/pods/a\u0001"],
    ["neither a path nor an address", "api/v1/pods"],
  ])("answers 400 to a target that is %s", async (_, target) => {
    expect((await send(`GET ${target}`))[0]).toBe(400);
  });

  it("serves nothing of the core group below /apis", async () => {
    expect((await call("GET", "/apis//v1/namespaces/default/configmaps")).status).toBe(404);
    expect((await call("GET", "/apis//v1/pods")).status).toBe(404);
    expect((await call("GET", "//api/v1/pods")).status).toBe(404);
  });

  it("accepts an absolute URL, an asterisk and a fragment", async () => {
    expect((await send("GET https://here/version"))[0]).toBe(200);
    expect((await send("GET ftp://here/version"))[0]).toBe(200);
    expect((await send("OPTIONS *"))[0]).toBe(200);
    expect((await send("GET /version#/healthz"))[0]).toBe(403);
    expect((await send("GET /version/../metrics"))[0]).toBe(403);
  });
});

describe("one reading of a path", () => {
  const read = (target: string) => readRequestInfo("GET", target);

  it("splits a path after it is decoded, as Go does", () => {
    expect(read("/api/v1/namespaces/a%2fsecrets/b")).toMatchObject({ namespace: "a", resource: "secrets", name: "b" });
    expect(read("/api%2Fv1/pods")).toMatchObject({ isResource: true, resource: "pods", path: "/api/v1/pods" });
    expect(read("/api/v1/pods/a%3Fb")).toMatchObject({ name: "a?b" });
  });

  it("does not remove dot segments from a path", () => {
    expect(read("/api/v1/namespaces/a/../b/pods")).toMatchObject({ namespace: "a", resource: "..", name: "b" });
  });

  it("decodes UTF-8, escaped or not, and replaces invalid bytes", () => {
    expect(read("/api/v1/pods/%C3%A9")).toMatchObject({ name: "é" });
    expect(read("/api/v1/pods/\u00c3\u00a9")).toMatchObject({ name: "é" });
    expect(read("/api/v1/pods/%ff%c0%af")).toMatchObject({ name: "\ufffd\ufffd\ufffd", subresource: "" });
    expect(read("/api/v1/pods/a%00b")).toMatchObject({ name: "a\0b" });
  });

  it("is frozen", () => {
    const info = read("/api/v1/pods?fieldSelector=a=b");
    expect(Object.isFrozen(info)).toBe(true);
    expect(info?.isResource && Object.isFrozen(info.selectors.fieldSelector?.requirements)).toBe(true);
  });

  it("takes the first value of a parameter that is repeated, and no value of a broken one", () => {
    const query = read("/api/v1/pods?watch=0&watch=1&a=%zz&a=x&b=1;c=2&c=3&d=%C3%A9+e")?.query;
    expect(["watch", "a", "b", "c", "d"].map((name) => query?.get(name))).toEqual(["0", "x", null, "3", "é e"]);
    expect(query?.getAll("watch")).toEqual(["0", "1"]);
  });
});
