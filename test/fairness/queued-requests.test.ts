import { request } from "node:https";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Answer } from "../fixtures/plane-client.ts";
import { servePlane } from "../fixtures/serve-plane.ts";
import { startHoldingWebhook } from "./holding-webhook.ts";

/* Tests through HTTP: a level with a single seat, which a request occupies until a webhook responds. */

const FLOW_CONTROL = "/apis/flowcontrol.apiserver.k8s.io/v1";
const HELD = "/api/v1/namespaces/held/configmaps";
const PATIENT = 20_000;

const { call, running } = servePlane({
  "max-requests-inflight": "8",
  "max-mutating-requests-inflight": "2",
  "authorization-mode": "AlwaysAllow",
});
let webhook: Awaited<ReturnType<typeof startHoldingWebhook>>;
let held = 0;

const as = (user: string) => ({ "Impersonate-User": user });
const getAs = (user: string, path = "/api/v1/namespaces/held") => call("GET", path, { headers: as(user) });
const uidOf = async (resource: string, name: string): Promise<string> =>
  (await call("GET", `${FLOW_CONTROL}/${resource}/${name}`)).body.metadata.uid;
const schemaOf = ({ headers }: Answer) => headers["x-kubernetes-pf-flowschema-uid"];
const levelOf = ({ headers }: Answer) => headers["x-kubernetes-pf-prioritylevel-uid"];

async function metric(name: string, ...labels: string[]): Promise<number> {
  const { text } = await call("GET", "/metrics");
  const line = text.split("\n").find((each) => each.startsWith(name) && labels.every((label) => each.includes(label)));
  return Number(line?.split(" ").at(-1));
}

const waitingOfTiny = () => metric("apiserver_flowcontrol_current_inqueue_requests", 'priority_level="tiny"');

/** A write of alice that stays in flight. */
async function hold(): Promise<{ readonly answer: Promise<Answer> }> {
  const before = webhook.held;
  const answer = call("POST", HELD, { headers: as("alice"), body: { metadata: { name: `held-${held++}` } } });
  await vi.waitFor(() => expect(webhook.held).toBe(before + 1), PATIENT);
  return { answer };
}

function level(shares: number, borrowingLimitPercent = 0) {
  return {
    apiVersion: "flowcontrol.apiserver.k8s.io/v1",
    kind: "PriorityLevelConfiguration",
    metadata: { name: "tiny" },
    spec: {
      type: "Limited",
      limited: {
        nominalConcurrencyShares: shares,
        borrowingLimitPercent,
        limitResponse: { type: "Queue", queuing: { queues: 1, handSize: 1, queueLengthLimit: 2 } },
      },
    },
  };
}

function schema(name: string, user: string, to = "tiny") {
  return {
    apiVersion: "flowcontrol.apiserver.k8s.io/v1",
    kind: "FlowSchema",
    metadata: { name },
    spec: {
      priorityLevelConfiguration: { name: to },
      matchingPrecedence: 50,
      distinguisherMethod: { type: "ByUser" },
      rules: [
        {
          subjects: [{ kind: "User", user: { name: user } }],
          resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
        },
      ],
    },
  };
}

beforeAll(async () => {
  webhook = await startHoldingWebhook();
  const create = async (path: string, body: unknown) => expect((await call("POST", path, { body })).status).toBe(201);
  await create("/api/v1/namespaces", { metadata: { name: "held" } });
  await create("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", webhook.configuration);
  await create(`${FLOW_CONTROL}/prioritylevelconfigurations`, level(10));
  await create(`${FLOW_CONTROL}/flowschemas`, schema("alice", "alice"));
});

afterAll(() => webhook.close());

describe("every classified response", () => {
  it("names the FlowSchema and the priority level of its request by their UIDs", async () => {
    const admin = await call("GET", "/version");
    expect(schemaOf(admin)).toBe(await uidOf("flowschemas", "exempt"));
    expect(levelOf(admin)).toBe(await uidOf("prioritylevelconfigurations", "exempt"));
    const bob = await getAs("bob");
    expect(schemaOf(bob)).toBe(await uidOf("flowschemas", "global-default"));
    expect(levelOf(bob)).toBe(await uidOf("prioritylevelconfigurations", "global-default"));
    const alice = await getAs("alice");
    expect(schemaOf(alice)).toBe(await uidOf("flowschemas", "alice"));
    const account = await getAs("system:serviceaccount:kube-system:job-controller");
    expect(schemaOf(account)).toBe(await uidOf("flowschemas", "kube-system-service-accounts"));
    const probe = await call("GET", "/readyz", { anonymous: true });
    expect(schemaOf(probe)).toBe(await uidOf("flowschemas", "probes"));
    const missing = await getAs("alice", "/api/v1/namespaces/held/configmaps/missing");
    expect([missing.status, schemaOf(missing)]).toEqual([404, schemaOf(alice)]);
  });
});

describe("a priority level whose only seat is taken", () => {
  it("lets requests wait, refuses those that its queue has no room for, and serves everybody else", async () => {
    const write = await hold();
    const waiting = [getAs("alice"), getAs("alice")];
    await vi.waitFor(async () => expect(await waitingOfTiny()).toBe(2), PATIENT);
    const refused = await getAs("alice");
    expect(refused.status).toBe(429);
    expect(refused.text).toBe("Too many requests, please try again later.\n");
    expect(refused.headers).toMatchObject({
      "retry-after": "1",
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
    });
    expect(schemaOf(refused)).toBe(await uidOf("flowschemas", "alice"));
    expect((await getAs("bob")).status).toBe(200);
    expect((await call("GET", "/api/v1/namespaces/held")).status).toBe(200);
    const tiny = ['priority_level="tiny"', 'flow_schema="alice"'];
    expect(await metric("apiserver_flowcontrol_rejected_requests_total", ...tiny, 'reason="queue-full"')).toBe(1);
    expect(await metric("apiserver_flowcontrol_current_executing_requests", ...tiny)).toBe(1);
    expect(await metric("apiserver_flowcontrol_current_executing_seats", ...tiny)).toBe(1);
    expect(await metric("apiserver_flowcontrol_nominal_limit_seats", 'priority_level="tiny"')).toBe(1);
    expect(await metric("apiserver_flowcontrol_current_limit_seats", 'priority_level="tiny"')).toBe(1);
    webhook.letGo();
    expect((await write.answer).status).toBe(201);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await waitingOfTiny()).toBe(0);
    expect(await metric("apiserver_flowcontrol_current_executing_requests", ...tiny)).toBe(0);
    const waited = await metric("apiserver_flowcontrol_request_wait_duration_seconds_count", ...tiny, 'execute="true"');
    expect(waited).toBeGreaterThanOrEqual(3);
  });

  it("refuses a request that has waited for a quarter of its time", async () => {
    const write = await hold();
    const before = performance.now();
    const refused = await getAs("alice", "/api/v1/namespaces/held?timeout=2s");
    expect(refused.status).toBe(429);
    expect(performance.now() - before).toBeGreaterThan(450);
    const labels = ['flow_schema="alice"', 'reason="time-out"'];
    expect(await metric("apiserver_flowcontrol_rejected_requests_total", ...labels)).toBe(1);
    webhook.letGo();
    await write.answer;
  });

  it("forgets a waiting request whose client is gone", async () => {
    const write = await hold();
    const { client } = running();
    const leaving = request(`${client.server}/api/v1/namespaces/held`, {
      ca: client.certificateAuthority,
      headers: { Authorization: `Bearer ${client.token}`, ...as("alice") },
    });
    leaving.on("error", () => undefined);
    leaving.end();
    await vi.waitFor(async () => expect(await waitingOfTiny()).toBe(1), PATIENT);
    leaving.destroy();
    await vi.waitFor(async () => expect(await waitingOfTiny()).toBe(0), PATIENT);
    webhook.letGo();
    await write.answer;
  });

  it("holds its seat for the start of a watch only", async () => {
    const { client } = running();
    const watches = await Promise.all(
      [0, 1, 2, 3].map(
        () =>
          new Promise<ReturnType<typeof request>>((resolve, reject) => {
            const watch = request(
              `${client.server}${HELD}?watch=true`,
              { ca: client.certificateAuthority, headers: { Authorization: `Bearer ${client.token}`, ...as("alice") } },
              (res) => (res.statusCode === 200 ? resolve(watch) : reject(new Error(`status ${res.statusCode}`))),
            );
            watch.on("error", () => undefined);
            watch.end();
          }),
      ),
    );
    expect((await getAs("alice")).status).toBe(200);
    await vi.waitFor(
      async () =>
        expect(await metric("apiserver_flowcontrol_current_executing_requests", 'flow_schema="alice"')).toBe(0),
      PATIENT,
    );
    for (const watch of watches) watch.destroy();
  });

  it("shows its requests on the debug pages, to administrators", async () => {
    const write = await hold();
    const waiting = getAs("alice");
    await vi.waitFor(async () => expect(await waitingOfTiny()).toBe(1), PATIENT);
    const page = async (name: string) => (await call("GET", `/debug/api_priority_and_fairness/${name}`)).text;
    const levels = await page("dump_priority_levels");
    expect(levels).toMatch(/^PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, /);
    expect(levels).toMatch(/^tiny, {14}1, {12}false, {2}false, {7}1, {15}1, /m);
    expect(levels).toMatch(/^exempt, {12}0, /m);
    expect(await page("dump_queues")).toMatch(/^tiny, +0, +1, +1, +1, +-?\d+\.\d{8}ss, +1, +1, +\d\.\d{8}ss$/m);
    const requests = await page("dump_requests?includeRequestDetails=1");
    expect(requests).toMatch(/^tiny, +alice, +0, +0, +, +20\S+Z, +1, +0, +0s, +0001-01-01T00:00:00Z, +alice, +get, /m);
    expect(requests).toMatch(/^tiny, +alice, +0, +-1, .* create, +\/api\/v1\/namespaces\/held\/configmaps, +held, /m);
    expect((await call("GET", "/debug/api_priority_and_fairness/other")).status).toBe(404);
    webhook.letGo();
    await Promise.all([write.answer, waiting]);
  });
});

describe("the configuration", () => {
  it("takes effect at once: more seats start what waits, another subject changes who waits", async () => {
    const write = await hold();
    const waiting = getAs("alice");
    await vi.waitFor(async () => expect(await waitingOfTiny()).toBe(1), PATIENT);
    const path = `${FLOW_CONTROL}/prioritylevelconfigurations/tiny`;
    const stored = (await call("GET", path)).body;
    const wider = { ...stored, spec: level(200).spec };
    expect((await call("PUT", path, { body: wider })).status).toBe(200);
    expect((await waiting).status).toBe(200);
    webhook.letGo();
    await write.answer;
    const schemaPath = `${FLOW_CONTROL}/flowschemas/alice`;
    const { metadata } = (await call("GET", schemaPath)).body;
    await call("PUT", schemaPath, { body: { ...schema("alice", "carol"), metadata } });
    expect(schemaOf(await getAs("alice"))).toBe(await uidOf("flowschemas", "global-default"));
    expect(schemaOf(await getAs("carol"))).toBe(await uidOf("flowschemas", "alice"));
  });

  it("ignores a FlowSchema without its priority level, and says so in its status", async () => {
    await call("POST", `${FLOW_CONTROL}/flowschemas`, { body: schema("lost", "dave", "nowhere") });
    await vi.waitFor(async () => {
      const { body } = await call("GET", `${FLOW_CONTROL}/flowschemas/lost`);
      expect(body.status.conditions[0]).toMatchObject({ type: "Dangling", status: "True", reason: "NotFound" });
    }, PATIENT);
    expect(schemaOf(await getAs("dave"))).toBe(await uidOf("flowschemas", "global-default"));
  });
});
