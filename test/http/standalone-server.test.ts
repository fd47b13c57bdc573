import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { request } from "node:https";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const map = (name: string, metadata: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...metadata },
});

describe("a server without other components", () => {
  let plane: Plane;
  let call: ReturnType<typeof createClient>;

  beforeAll(async () => {
    plane = await startPlane({ flags: { "feature-gates": "CBORServingAndStorage=true,WatchList=true" } });
    call = createClient(plane);
    await plane.ready;
  });

  afterAll(() => plane.stop());

  const status = async (path: string) => (await call("GET", path)).status;

  it("starts with system namespaces, the kubernetes service and the default roles", async () => {
    const { body } = await call("GET", "/api/v1/namespaces");
    expect(body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(
      expect.arrayContaining(["default", "kube-node-lease", "kube-public", "kube-system"]),
    );
    const service = await call("GET", "/api/v1/namespaces/default/services/kubernetes");
    expect(service.body.spec).toMatchObject({ clusterIP: "10.0.0.1", ports: [{ name: "https", port: 443 }] });
    expect(await status("/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin")).toBe(200);
  });

  it("dates every response, of HTTP/1.1 and of HTTP/2", async () => {
    const { server, certificateAuthority: ca } = plane.client;
    const session = connectHttp2(server, { ca });
    const overHttp2 = await new Promise<string | undefined>((resolve) =>
      session
        .request({ ":path": "/livez" })
        .once("response", (headers) => resolve(headers["date"]))
        .resume(),
    );
    session.close();
    const responses = await Promise.all(["/livez", "/nothing", "/api/v1/namespaces"].map((path) => call("GET", path)));
    for (const date of [overHttp2, ...responses.map(({ headers }) => headers.date as string)]) {
      expect(date).toBe(new Date(date as string).toUTCString());
      expect(Math.abs(Date.now() - Date.parse(date as string))).toBeLessThan(60_000);
    }
  });

  it("creates the default objects of new namespaces and deletes the content of terminating ones", async () => {
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "brief" } };
    await call("POST", "/api/v1/namespaces", { body: namespace });
    const inside = "/api/v1/namespaces/brief";
    await expect.poll(() => status(`${inside}/serviceaccounts/default`), { timeout: 120_000 }).toBe(200);
    await expect.poll(() => status(`${inside}/configmaps/kube-root-ca.crt`), { timeout: 120_000 }).toBe(200);
    await call("POST", `${inside}/configmaps`, { body: map("content") });
    await call("POST", `${inside}/configmaps`, { body: map("held", { finalizers: ["example.com/hold"] }) });
    expect((await call("DELETE", inside)).body.status.phase).toBe("Terminating");
    expect((await call("POST", `${inside}/configmaps`, { body: map("late") })).body).toMatchObject({ code: 403 });
    await expect.poll(() => status(`${inside}/configmaps/content`), { timeout: 120_000 }).toBe(404);
    await call("PATCH", `${inside}/configmaps/held`, {
      body: { metadata: { finalizers: null } },
      headers: { "Content-Type": "application/merge-patch+json" },
    });
    await expect.poll(() => status(inside), { timeout: 120_000 }).toBe(404);
  });

  it("collects the dependents of deleted objects according to propagationPolicy", async () => {
    const owned = async (owner: string, child: string) => {
      const { body } = await call("POST", MAPS, { body: map(owner) });
      const reference = { apiVersion: "v1", kind: "ConfigMap", name: owner, uid: body.metadata.uid };
      const ownerReferences = [{ ...reference, blockOwnerDeletion: true }];
      await call("POST", MAPS, { body: map(child, { ownerReferences }) });
    };
    for (const policy of ["Background", "Foreground", "Orphan"]) {
      const [owner, child] = [`owner-${policy.toLowerCase()}`, `child-${policy.toLowerCase()}`];
      await owned(owner, child);
      await call("DELETE", `${MAPS}/${owner}?propagationPolicy=${policy}`);
      await expect.poll(() => status(`${MAPS}/${owner}`), { timeout: 120_000 }).toBe(404);
    }
    for (const gone of ["child-background", "child-foreground"]) {
      await expect.poll(() => status(`${MAPS}/${gone}`), { timeout: 120_000 }).toBe(404);
    }
    const orphan = await call("GET", `${MAPS}/child-orphan`);
    expect(orphan.body.metadata).not.toHaveProperty("ownerReferences");
  });

  it("allocates cluster IPs and node ports for services and releases them", async () => {
    const services = "/api/v1/namespaces/default/services";
    const service = (name: string, spec: object) => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name },
      spec: { type: "NodePort", ports: [{ port: 80 }], ...spec },
    });
    const { body } = await call("POST", services, { body: service("one", {}) });
    const { clusterIP, ports } = body.spec;
    expect(clusterIP).toMatch(/^10\.0\.0\.\d+$/);
    const nodePort = ports[0].nodePort as number;
    expect(nodePort).toBeGreaterThanOrEqual(30_000);
    const wish = { clusterIP, ports: [{ port: 80, nodePort }] };
    expect((await call("POST", services, { body: service("two", wish) })).body).toMatchObject({ code: 422 });
    await call("DELETE", `${services}/one`);
    await expect
      .poll(async () => (await call("POST", services, { body: service("two", wish) })).status, { timeout: 120_000 })
      .toBe(201);
  });

  it("streams watches in CBOR and sends initial events for a watch list", async () => {
    const cbor = await call("GET", `${MAPS}?watch=1&timeoutSeconds=1&resourceVersion=0`, {
      headers: { Accept: "application/cbor" },
    });
    expect(cbor.headers["content-type"]).toBe("application/cbor-seq");
    expect(cbor.bytes.length).toBeGreaterThan(0);
    const query =
      "watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const events = (await call("GET", `${MAPS}?${query}`)).text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const types = events.map(({ type }: { type: string }) => type);
    expect(types.slice(0, types.indexOf("BOOKMARK")).every((type: string) => type === "ADDED")).toBe(true);
    const bookmark = events[types.indexOf("BOOKMARK")];
    expect(bookmark.object.metadata.annotations).toMatchObject({ "k8s.io/initial-events-end": "true" });
  });
});

describe("a write request whose body does not arrive before the request timeout", () => {
  let plane: Plane;
  let call: ReturnType<typeof createClient>;
  const headers = { "Impersonate-User": "somebody" };

  beforeAll(async () => {
    plane = await startPlane({
      flags: {
        controllers: "false",
        "authorization-mode": "AlwaysAllow",
        "max-mutating-requests-inflight": "1",
        "request-timeout": "1s",
      },
    });
    call = createClient(plane);
    await plane.ready;
  });

  afterAll(() => plane.stop());

  /** A write whose body never ends. */
  function hanging(): { readonly answer: Promise<{ status: number; text: string }>; end(): void } {
    const outgoing = request(`${plane.client.server}${MAPS}`, {
      method: "POST",
      ca: plane.client.certificateAuthority,
      headers: { ...headers, Authorization: `Bearer ${plane.client.token}`, "Content-Type": "application/json" },
    });
    const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
      outgoing.once("error", reject);
      outgoing.once("response", (incoming) => {
        let text = "";
        incoming.on("data", (chunk) => {
          text += chunk;
        });
        incoming.once("end", () => resolve({ status: incoming.statusCode ?? 0, text }));
      });
    });
    outgoing.write("{");
    return { answer, end: () => void outgoing.destroy() };
  }

  it("gets 504 and does not block other writes in the meantime", async () => {
    const slow = hanging();
    for (let round = 0; round < 5; round++) {
      expect((await call("POST", `${MAPS}?dryRun=All`, { headers, body: map("x") })).status).toBe(201);
    }
    const { status, text } = await slow.answer;
    slow.end();
    expect([status, JSON.parse(text).reason]).toEqual([504, "Timeout"]);
  });
});

describe("graceful shutdown", () => {
  it("fails /readyz first and closes connections after responses, then ends watches and lets requests finish", async () => {
    const plane = await startPlane({ flags: { controllers: "false", "shutdown-delay-duration": "1s" } });
    const call = createClient(plane);
    await plane.ready;
    const watching = call("GET", `${MAPS}?watch=1`);
    const before = await call("GET", "/readyz");
    expect([before.text, before.headers.connection]).toEqual(["ok", "keep-alive"]);
    const stopped = plane.stop();
    const ready = await call("GET", "/readyz?verbose");
    expect(ready.status).toBe(500);
    // Clients use other servers then, before connections are closed under their requests.
    expect(ready.headers.connection).toBe("close");
    expect(ready.text).toContain("[-]shutdown failed");
    expect((await call("GET", "/livez")).status).toBe(200);
    expect((await call("POST", MAPS, { body: map("last") })).status).toBe(201);
    expect((await watching).status).toBe(200);
    await stopped;
    await expect(call("GET", "/livez")).rejects.toThrow();
  });

  it("sends GOAWAY to HTTP/2 clients, finishes their requests in flight, and then closes their connections", async () => {
    const plane = await startPlane({ flags: { controllers: "false" } });
    await plane.ready;
    const { server, token, certificateAuthority: ca } = plane.client;
    const connect = (): ClientHttp2Session => connectHttp2(server, { ca });
    const [busy, idle] = [connect(), connect()];
    const goaway = (session: ClientHttp2Session) =>
      new Promise<[number, number]>((resolve) => session.once("goaway", (code, last) => resolve([code, last])));
    const closed = (session: ClientHttp2Session) => new Promise<void>((resolve) => session.once("close", resolve));
    const ended = [goaway(busy), goaway(idle), closed(busy), closed(idle)] as const;
    await new Promise((resolve) => idle.once("remoteSettings", resolve));
    const stream = busy.request({
      ":method": "POST",
      ":path": MAPS,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
    });
    const response = new Promise((resolve) => stream.once("response", (headers) => resolve(headers[":status"])));
    const body = JSON.stringify(map("unfinished"));
    await new Promise<void>((resolve) => stream.write(body.slice(0, 10), () => resolve()));
    // A response to a later request of the same connection: the server has the first one by now.
    await new Promise((resolve) => busy.request({ ":path": "/livez" }).once("response", resolve).resume());

    const stopped = plane.stop();
    expect((await ended[1])[0], "NO_ERROR").toBe(0);
    const [code, lastStream] = await ended[0];
    expect([code, lastStream >= (stream.id ?? 0)]).toEqual([0, true]);
    stream.end(body.slice(10));
    expect(await response).toBe(201);
    stream.resume();
    await Promise.all([ended[2], ended[3], stopped]);
  });
});
