import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane({ "disable-admission-plugins": "ServiceAccount" });

const MAPS = "/api/v1/namespaces/default/configmaps";
const map = (name: string) => ({ metadata: { name }, data: { a: "b" } });

describe("paths that end early", () => {
  it.each(["/api/v1/watch", "/apis/apps/v1/watch/", "/api/v1/proxy?a=b"])("are not understood: %s", async (path) => {
    const { status, text } = await call("GET", path, { anonymous: true });
    const problem = `unable to determine kind and namespace from url, ${path}`;
    expect([status, text]).toEqual([
      500,
      `Internal Server Error: "${path}": failed to create RequestInfo: ${problem}\n`,
    ]);
  });

  it("know but one method where they tell the version", async () => {
    expect((await call("HEAD", "/version")).status).toBe(405);
    expect((await call("POST", "/version", { body: {} })).body).toMatchObject({ reason: "MethodNotAllowed" });
  });
});

describe("media types", () => {
  const accepting = (accept: string, path: string) => call("GET", path, { headers: { Accept: accept } });

  it("have a wildcard as a whole or after the slash", async () => {
    expect((await accepting("*/json", "/apis/apps")).status).toBe(406);
    expect((await accepting("application/*", "/apis/apps")).status).toBe(200);
  });

  it("of logs may be plain text; what is connected to is not asked for any", async () => {
    const pod = "/api/v1/namespaces/default/pods/nobody";
    expect((await accepting("text/html", `${pod}/log`)).body.message).toBe(
      "406: Not Acceptable\n\nAvailable representations: text/plain, application/json, application/yaml, application/vnd.kubernetes.protobuf",
    );
    expect((await accepting("text/html", `${pod}/exec`)).body.message).toBe('pods "nobody" not found');
  });

  it("of an empty patch are refused in the words for answers", async () => {
    await call("POST", MAPS, { body: map("patched") });
    const { status, body } = await call("PATCH", `${MAPS}/patched`, { headers: { "Content-Length": "0" } });
    expect([status, body.message]).toEqual([406, "406: Not Acceptable\n\nAvailable representations: "]);
  });

  it("of what is sent are asked for before those of the answer", async () => {
    const headers = { Accept: "text/html" };
    const patch = await call("PATCH", `${MAPS}/patched`, { body: {}, type: "application/json", headers });
    expect([patch.status, patch.body.message]).toEqual([415, "415: Unsupported Media Type"]);
    const created = await call("POST", `${MAPS}?fieldValidation=x`, { body: "x", type: "text/plain" });
    expect(created.status).toBe(415);
  });

  it("are told pretty to people, about what is served too", async () => {
    const { text } = await call("GET", "/apis/apps", { headers: { "User-Agent": "curl/8" } });
    expect(text).toMatch(/^\{\n {2}"kind": "APIGroup"/);
    expect((await call("GET", "/api/v1?pretty=1")).text).toMatch(/^\{\n/);
  });

  it("that are none of ours get errors spread over lines, without a break at the end", async () => {
    expect((await accepting("text/html", MAPS)).text).toMatch(/^\{\n {2}"kind": "Status",[\s\S]*\n\}$/);
    expect((await accepting("application/json;as=Table;v=v1;g=meta.k8s.io", `${MAPS}/x`)).text).toMatch(/^\{\n/);
    expect((await accepting("application/json", `${MAPS}/x`)).text).toMatch(/^\{"kind":"Status".*\}\n$/);
    expect((await call("GET", `${MAPS}?pretty=1`)).text).toMatch(/\n\}$/);
  });
});

describe("names", () => {
  it("are held against the body before they are looked at", async () => {
    const { body } = await call("PUT", `${MAPS}/a%25b`, { body: map("x") });
    expect(body.message).toBe("the name of the object (x) does not match the name on the URL (a%b)");
    const same = await call("PUT", `${MAPS}/a%25b`, { body: map("a%b") });
    expect(same.body.message).toBe(`Name parameter invalid: "a%b": may not contain '%'`);
    const read = await call("GET", `${MAPS}/a%25b`);
    expect(read.body.message).toBe(`Name parameter invalid: "a%b": may not contain '%'`);
  });

  it("of labels end with a zero byte", async () => {
    expect((await call("GET", `${MAPS}?labelSelector=a%3Db%00!!`)).status).toBe(200);
  });
});

describe("the deletion of a collection", () => {
  it("reads its parameters as a list does", async () => {
    expect((await call("DELETE", `${MAPS}?timeoutSeconds=x`)).body.message).toContain('strconv.ParseInt: parsing "x"');
    expect((await call("DELETE", `${MAPS}?sendInitialEvents=true`)).body.message).toContain("is forbidden for list");
  });

  it("reads the exact version it names", async () => {
    const secrets = "/api/v1/namespaces/default/secrets";
    const { body } = await call("POST", secrets, { body: { metadata: { name: "first" } } });
    await call("POST", secrets, { body: { metadata: { name: "later" } } });
    const version = body.metadata.resourceVersion as string;
    const deleted = await call("DELETE", `${secrets}?dryRun=All&resourceVersion=${version}`);
    const items = deleted.body.items as { metadata: { name: string } }[];
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["first"]);
  });
});

describe("versions in bodies", () => {
  const posted = async (apiVersion: string) => {
    const { status, body } = await call("POST", `${MAPS}?dryRun=All`, { body: { apiVersion, ...map("versioned") } });
    return [status, body.message];
  };

  it("have one slash at most", async () => {
    const given = `{"apiVersion":"a/b/c","metadat ...`;
    expect(await posted("a/b/c")).toEqual([
      400,
      `the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c (${given})`,
    ]);
  });

  it("may say that they have no group", async () => {
    expect(await posted("/v1")).toEqual([201, undefined]);
    expect(await posted("/")).toEqual([201, undefined]);
  });

  it("are missing where there is only a group", async () => {
    expect(await posted("v1/")).toEqual([
      400,
      `ConfigMap in version "" cannot be handled as a ConfigMap: Object 'apiVersion' is missing in '${JSON.stringify({ apiVersion: "v1/", ...map("versioned") })}'`,
    ]);
  });
});

describe("keys that are said twice", () => {
  it("keep what was said of them first, as far as nothing else is said", async () => {
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
