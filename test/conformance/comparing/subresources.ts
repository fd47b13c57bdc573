import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import { changedObject } from "./changed-object.ts";
import { withoutOwn } from "./changed-writes.ts";
import type { ComparedRequest, RequestMaker, Stored, World } from "./compared-request.ts";

const SCALED = new Set(["Deployment", "ReplicaSet", "StatefulSet", "ReplicationController", "Widget"]);

/** Reads and writes of all subresources except status, with changed bodies. */
export const subresources: RequestMaker = (random, world) => {
  const maker = random.pick([
    scale,
    eviction,
    binding,
    token,
    ephemeral,
    resize,
    approval,
    finalize,
    statusOfAny,
    unknown,
  ]);
  return maker(random, world) ?? unknown(random, world);
};

type Maker = (random: Random, world: World) => ComparedRequest | undefined;

function pickKind(random: Random, { stored }: World, isKind: (kind: string) => boolean): Stored | undefined {
  const all = stored.filter(({ mine }) => isKind(mine.kind));
  return all.length === 0 ? undefined : random.pick(all);
}

const urlOf = ({ path, mine }: Stored, subresource: string): string =>
  `${path}/${mine.metadata.name}/${subresource}?dryRun=All`;

function changedOrNot(random: Random, object: Parsed): { object: Parsed; what: string } {
  return random.chance(0.8) ? changedObject(random, object) : { object, what: "as it is" };
}

function post(random: Random, path: string, body: Parsed): ComparedRequest {
  const { object, what } = changedOrNot(random, body);
  return {
    method: random.chance(0.95) ? "POST" : random.pick(["GET", "PUT", "PATCH", "DELETE"]),
    path,
    bodies: [object, object],
    what,
  };
}

const scale: Maker = (random, world) => {
  const stored = pickKind(random, world, (kind) => SCALED.has(kind));
  if (stored === undefined) return undefined;
  const path = urlOf(stored, "scale");
  if (random.chance(0.2)) return { method: "GET", path, what: "scale" };
  const { name, namespace } = stored.mine.metadata;
  const replicas = random.pick([0, 1, 5, -1, 2_147_483_648, "x", null]);
  const whole = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name, namespace }, spec: { replicas } };
  const { object, what } = changedOrNot(random, whole);
  if (random.chance(0.5)) return { method: "PUT", path, bodies: [object, object], what };
  const type = random.pick(["merge-patch+json", "strategic-merge-patch+json", "apply-patch+yaml"]);
  const managed = type === "apply-patch+yaml" ? `&fieldManager=f${random.chance(0.5) ? "&force=true" : ""}` : "";
  return { method: "PATCH", path: `${path}${managed}`, type: `application/${type}`, bodies: [object, object], what };
};

const eviction: Maker = (random, world) => {
  const stored = pickKind(random, world, (kind) => kind === "Pod");
  if (stored === undefined) return undefined;
  const { name, namespace } = stored.mine.metadata;
  const deleteOptions = {
    dryRun: ["All"],
    gracePeriodSeconds: random.pick([0, 1, -1]),
    propagationPolicy: "Background",
  };
  const version = random.pick(["policy/v1", "policy/v1beta1"]);
  const body = { apiVersion: version, kind: "Eviction", metadata: { name, namespace }, deleteOptions };
  const request = post(random, urlOf(stored, "eviction"), body);
  const bodies = request.bodies?.map((each: Parsed) => ({ ...each, metadata: { name, namespace } })) as [
    Parsed,
    Parsed,
  ];
  return { ...request, bodies };
};

const binding: Maker = (random, world) => {
  const stored = pickKind(random, world, (kind) => kind === "Pod");
  if (stored === undefined) return undefined;
  const { name, namespace } = stored.mine.metadata;
  const target = { apiVersion: "v1", kind: "Node", name: "node-1" };
  const path = random.chance(0.8) ? urlOf(stored, "binding") : `${stored.path.replace(/pods$/, "bindings")}?dryRun=All`;
  return post(random, path, { apiVersion: "v1", kind: "Binding", metadata: { name, namespace }, target });
};

const token: Maker = (random, world) => {
  const stored = pickKind(random, world, (kind) => kind === "ServiceAccount");
  if (stored === undefined) return undefined;
  const { name, namespace } = stored.mine.metadata;
  const boundObjectRef = random.pick([
    { apiVersion: "v1", kind: "Pod", name: "absent" },
    { kind: "Node", name: "x" },
    undefined,
  ]);
  const spec = { audiences: random.pick([["a"], [], ["a", "a"]]), expirationSeconds: 3600, boundObjectRef };
  const kind = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest" };
  return post(
    random,
    urlOf(stored, "token"),
    JSON.parse(JSON.stringify({ ...kind, metadata: { name, namespace }, spec })),
  );
};

function podUpdate(subresource: string, change: (random: Random, pod: Parsed) => void): Maker {
  return (random, world) => {
    const stored = pickKind(random, world, (kind) => kind === "Pod");
    if (stored === undefined) return undefined;
    const path = urlOf(stored, subresource);
    if (random.chance(0.1)) return { method: "GET", path, what: subresource };
    const pod = withoutOwn(stored.mine);
    change(random, pod);
    const { object, what } = random.chance(0.6) ? { object: pod, what: "as it is" } : changedObject(random, pod);
    if (random.chance(0.5)) return { method: "PUT", path, bodies: [object, object], what };
    const type = random.pick(["merge-patch+json", "strategic-merge-patch+json"]);
    return { method: "PATCH", path, type: `application/${type}`, bodies: [object, object], what };
  };
}

const ephemeral = podUpdate("ephemeralcontainers", (random, { spec }) => {
  const added = { name: "debug", image: "registry.invalid/d:1", targetContainerName: random.pick(["main", "absent"]) };
  const container = changedOrNot(random, {
    ...added,
    command: ["sh"],
    stdin: true,
    env: [{ name: "A", value: "b" }],
  }).object;
  spec.ephemeralContainers = [container];
});

const resize = podUpdate("resize", (random, { spec }) => {
  const [first] = spec.containers;
  first.resources = changedOrNot(random, { limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "1" } }).object;
  if (random.chance(0.3)) first.resizePolicy = [{ resourceName: "cpu", restartPolicy: "NotRequired" }];
});

const approval: Maker = (random, world) => {
  const stored = pickKind(random, world, (kind) => kind === "CertificateSigningRequest");
  if (stored === undefined) return undefined;
  const request = withoutOwn(stored.mine);
  const type = random.pick(["Approved", "Denied", "Failed", "Other"]);
  const condition = { type, status: "True", reason: "Testing", message: "m" };
  request.status = { conditions: [condition, ...(random.chance(0.2) ? [{ ...condition, type: "Denied" }] : [])] };
  if (random.chance(0.3)) request.status.certificate = random.pick(["eA==", "", "x"]);
  const { object, what } = changedOrNot(random, request);
  return { method: "PUT", path: urlOf(stored, random.pick(["approval", "status"])), bodies: [object, object], what };
};

const finalize: Maker = (random) => {
  const finalizers = random.pick([[], ["kubernetes"], ["example.com/a"], ["a"], null, ["kubernetes", "kubernetes"]]);
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: "default" }, spec: { finalizers } };
  const { object, what } = changedOrNot(random, body);
  return { method: "PUT", path: "/api/v1/namespaces/default/finalize?dryRun=All", bodies: [object, object], what };
};

const statusOfAny: Maker = (random, { stored }) => {
  const chosen = random.pick(stored);
  if (random.chance(0.3)) return { method: "GET", path: urlOf(chosen, "status"), what: "status" };
  const status = random.pick([
    {},
    null,
    { conditions: [{ type: "Ready", status: "True" }] },
    { replicas: -1 },
    { phase: "Other" },
    "x",
  ]);
  const type = random.pick(["merge-patch+json", "strategic-merge-patch+json"]);
  return {
    method: "PATCH",
    path: urlOf(chosen, "status"),
    type: `application/${type}`,
    bodies: [{ status }, { status }],
    what: JSON.stringify(status),
  };
};

function unknown(random: Random, { stored }: World): ComparedRequest {
  const names = [
    "scale",
    "eviction",
    "binding",
    "token",
    "ephemeralcontainers",
    "resize",
    "approval",
    "finalize",
    "other",
    "status",
  ];
  const name = random.pick([...names, "log", "status/x", "", "%2f"]);
  const method = random.pick(["GET", "PUT", "PATCH", "DELETE", "POST", "HEAD", "OPTIONS"]);
  const chosen = random.pick(stored);
  const bodies = method === "GET" || method === "HEAD" || method === "OPTIONS" ? {} : ({ bodies: [{}, {}] } as const);
  // The body of a deletion contains its options.
  if (method === "DELETE") return { method, path: urlOf(chosen, name || "other"), what: name };
  if (name === "log") return { method: "GET", path: `${urlOf(chosen, "log")}&container=absent`, what: name };
  return { method, path: urlOf(chosen, name || "other"), ...bodies, what: name };
}
