import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane({ "disable-admission-plugins": "ServiceAccount" });

const MAPS = "/api/v1/namespaces/default/configmaps";
const map = (name: string) => ({ metadata: { name }, data: { a: "b" } });

describe("a request path", () => {
  it.each(["/api/v1/watch", "/apis/apps/v1/watch/", "/api/v1/proxy?a=b"])(
    "that ends before the resource gets 500 in plain text: %s",
    async (path) => {
      const { status, text } = await call("GET", path, { anonymous: true });
      const problem = `unable to determine kind and namespace from url, ${path}`;
      expect([status, text]).toEqual([
        500,
        `Internal Server Error: "${path}": failed to create RequestInfo: ${problem}\n`,
      ]);
    },
  );

  it("of /version gets 405 for other methods than GET", async () => {
    expect((await call("HEAD", "/version")).status).toBe(405);
    expect((await call("POST", "/version", { body: {} })).body).toMatchObject({ reason: "MethodNotAllowed" });
  });
});

describe("media type negotiation", () => {
  const accepting = (accept: string, path: string) => call("GET", path, { headers: { Accept: accept } });

  it("accepts a wildcard for the subtype, not for the type alone", async () => {
    expect((await accepting("*/json", "/apis/apps")).status).toBe(406);
    expect((await accepting("application/*", "/apis/apps")).status).toBe(200);
  });

  it("offers text/plain for pod logs, and is skipped for pod exec", async () => {
    const pod = "/api/v1/namespaces/default/pods/nobody";
    expect((await accepting("text/html", `${pod}/log`)).body.message).toBe(
      "406: Not Acceptable\n\nAvailable representations: text/plain, application/json, application/yaml, application/vnd.kubernetes.protobuf",
    );
    expect((await accepting("text/html", `${pod}/exec`)).body.message).toBe('pods "nobody" not found');
  });

  it("answers 406 to a patch without body and Content-Type", async () => {
    await call("POST", MAPS, { body: map("patched") });
    const { status, body } = await call("PATCH", `${MAPS}/patched`, { headers: { "Content-Length": "0" } });
    expect([status, body.message]).toEqual([406, "406: Not Acceptable\n\nAvailable representations: "]);
  });

  it("checks Content-Type before Accept", async () => {
    const headers = { Accept: "text/html" };
    const patch = await call("PATCH", `${MAPS}/patched`, { body: {}, type: "application/json", headers });
    expect([patch.status, patch.body.message]).toEqual([415, "415: Unsupported Media Type"]);
    const created = await call("POST", `${MAPS}?fieldValidation=x`, { body: "x", type: "text/plain" });
    expect(created.status).toBe(415);
  });

  it("pretty-prints discovery documents for curl and ?pretty=1", async () => {
    const { text } = await call("GET", "/apis/apps", { headers: { "User-Agent": "curl/8" } });
    expect(text).toMatch(/^\{\n {2}"kind": "APIGroup"/);
    expect((await call("GET", "/api/v1?pretty=1")).text).toMatch(/^\{\n/);
  });

  it("pretty-prints errors without a final newline if the Accept header is not supported", async () => {
    expect((await accepting("text/html", MAPS)).text).toMatch(/^\{\n {2}"kind": "Status",[\s\S]*\n\}$/);
    expect((await accepting("application/json;as=Table;v=v1;g=meta.k8s.io", `${MAPS}/x`)).text).toMatch(/^\{\n/);
    expect((await accepting("application/json", `${MAPS}/x`)).text).toMatch(/^\{"kind":"Status".*\}\n$/);
    expect((await call("GET", `${MAPS}?pretty=1`)).text).toMatch(/\n\}$/);
  });
});

describe("a request URL", () => {
  it("has its object name compared with the name in the body before it is validated", async () => {
    const { body } = await call("PUT", `${MAPS}/a%25b`, { body: map("x") });
    expect(body.message).toBe("the name of the object (x) does not match the name on the URL (a%b)");
    const same = await call("PUT", `${MAPS}/a%25b`, { body: map("a%b") });
    expect(same.body.message).toBe(`Name parameter invalid: "a%b": may not contain '%'`);
    const read = await call("GET", `${MAPS}/a%25b`);
    expect(read.body.message).toBe(`Name parameter invalid: "a%b": may not contain '%'`);
  });

  it("may have a zero byte in the label selector, which ends the selector", async () => {
    expect((await call("GET", `${MAPS}?labelSelector=a%3Db%00!!`)).status).toBe(200);
  });
});

describe("DELETE of a collection", () => {
  it("validates its query parameters as a list does", async () => {
    expect((await call("DELETE", `${MAPS}?timeoutSeconds=x`)).body.message).toContain('strconv.ParseInt: parsing "x"');
    expect((await call("DELETE", `${MAPS}?sendInitialEvents=true`)).body.message).toContain("is forbidden for list");
  });

  it("with a resourceVersion deletes the objects of exactly that version", async () => {
    const secrets = "/api/v1/namespaces/default/secrets";
    const { body } = await call("POST", secrets, { body: { metadata: { name: "first" } } });
    await call("POST", secrets, { body: { metadata: { name: "later" } } });
    const version = body.metadata.resourceVersion as string;
    const deleted = await call("DELETE", `${secrets}?dryRun=All&resourceVersion=${version}`);
    const items = deleted.body.items as { metadata: { name: string } }[];
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["first"]);
  });
});

describe("apiVersion in a request body", () => {
  const posted = async (apiVersion: string) => {
    const { status, body } = await call("POST", `${MAPS}?dryRun=All`, { body: { apiVersion, ...map("versioned") } });
    return [status, body.message];
  };

  it("gets 400 with more than one slash", async () => {
    const given = `{"apiVersion":"a/b/c","metadat ...`;
    expect(await posted("a/b/c")).toEqual([
      400,
      `the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c (${given})`,
    ]);
  });

  it("may have an empty group", async () => {
    expect(await posted("/v1")).toEqual([201, undefined]);
    expect(await posted("/")).toEqual([201, undefined]);
  });

  it("gets 400 with a group but no version", async () => {
    expect(await posted("v1/")).toEqual([
      400,
      `ConfigMap in version "" cannot be handled as a ConfigMap: Object 'apiVersion' is missing in '${JSON.stringify({ apiVersion: "v1/", ...map("versioned") })}'`,
    ]);
  });
});

describe("duplicate keys in JSON", () => {
  it("are merged, and later values replace earlier ones", async () => {
    const metadata = '"metadata":{"name":"twice","labels":{"a":"b"}},"metadata":{"labels":{"c":"d"}}';
    const owner = '{"apiVersion":"v1","kind":"Pod","name":"p","uid":"1"}';
    const owners = `"metadata":{"ownerReferences":[${owner}],"ownerReferences":[{"name":"q"}]}`;
    const data = '"data":{"a":"1","b":"2"},"data":{"b":"3"},"data":{"c":"4"}';
    const body = `{${metadata},${owners},${data}}`;
    const { headers, body: made } = await call("POST", `${MAPS}?dryRun=All`, { body, type: "application/json" });
    expect(made).toMatchObject({
      metadata: {
        name: "twice",
        labels: { a: "b", c: "d" },
        ownerReferences: [{ kind: "Pod", name: "q", uid: "1" }],
      },
      data: { a: "1", b: "3", c: "4" },
    });
    expect(headers.warning).toContain(String.raw`duplicate field \"data\"`);
  });
});
