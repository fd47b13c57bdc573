import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { differencesOf } from "../../fixtures/differences-of.ts";
import type { Parsed } from "../../fixtures/plane-client.ts";
import { Random } from "../../hostile/random.ts";
import { comparableEvent } from "./comparable-answer.ts";
import type { Pair } from "./compared-request.ts";

const STAGES = ["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"];
const VERBS = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "post", "put"];
const URLS = ["/healthz*", "/api", "/api*", "/apis/*", "/openapi/*", "*", "/version", "/livez/ping", "/metrics"];
const RESOURCES: readonly (readonly [group: string, resources: readonly string[]])[] = [
  ["", ["pods", "pods/*", "pods/status", "*/status", "configmaps", "services", "nodes", "namespaces", "secrets", "*"]],
  ["apps", ["deployments", "deployments/scale", "*/scale", "statefulsets", "*"]],
  ["batch", ["jobs", "jobs/status", "cronjobs", "*"]],
  ["rbac.authorization.k8s.io", ["roles", "clusterroles", "*"]],
  ["authorization.k8s.io", ["*"]],
];

const FILE = ".cache/audited.json";
const PRINTED = 20;
/** Delay for events of requests that end last. */
const SETTLED_MS = 1000;

export type AuditFlags = Readonly<Record<string, string>>;

/** Returns flags with which both servers write audit events of the requests that a random policy selects, each to its own file. */
export function auditFlags(seed: number): Pair<AuditFlags> {
  const directory = mkdtempSync(join(tmpdir(), "audited-"));
  const policy = join(directory, "policy.json");
  writeFileSync(policy, JSON.stringify(seed === 0 ? WHOLE : randomPolicy(Random.ofInput(seed, "audit policy", 0))));
  return ["mine", "theirs"].map((name) => ({
    "audit-policy-file": policy,
    "audit-log-path": join(directory, `${name}.log`),
    "audit-log-mode": "blocking",
  })) as unknown as Pair<AuditFlags>;
}

const WHOLE = { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: [{ level: "RequestResponse" }] };

function randomPolicy(random: Random): Parsed {
  const rules = Array.from({ length: 2 + random.int(8) }, () => randomRule(random));
  return {
    apiVersion: "audit.k8s.io/v1",
    kind: "Policy",
    ...(random.chance(0.2) && { omitStages: some(random, STAGES, 2) }),
    ...(random.chance(0.3) && { omitManagedFields: true }),
    rules: [...rules, { level: random.pick(["Metadata", "RequestResponse", "Request"]) }],
  };
}

function randomRule(random: Random): Parsed {
  const isOfResources = random.chance(0.7);
  return {
    level: random.pick(["None", "Metadata", "Request", "RequestResponse", "RequestResponse"]),
    ...(random.chance(0.2) && { users: some(random, ["admin", "jane", "system:anonymous", "system:node:n1"], 2) }),
    ...(random.chance(0.2) && { userGroups: some(random, ["system:masters", "system:unauthenticated", "g1"], 2) }),
    ...(random.chance(0.5) && { verbs: some(random, VERBS, 4) }),
    ...(random.chance(0.2) && { omitStages: some(random, STAGES, 2) }),
    ...(random.chance(0.4) && { omitManagedFields: random.chance(0.7) }),
    ...(isOfResources && random.chance(0.3) && { namespaces: some(random, ["default", "", "kube-system"], 2) }),
    ...(isOfResources &&
      random.chance(0.8) && { resources: some(random, RESOURCES, 3).map((each) => ofGroup(random, each)) }),
    ...(!isOfResources && random.chance(0.8) && { nonResourceURLs: some(random, URLS, 4) }),
  };
}

function ofGroup(random: Random, [group, resources]: (typeof RESOURCES)[number]): Parsed {
  if (random.chance(0.2)) return { group };
  return {
    group,
    resources: some(random, resources, 4),
    ...(random.chance(0.2) && { resourceNames: some(random, ["example-1", "example-2", ""], 2) }),
  };
}

function some<T>(random: Random, values: readonly T[], most: number): T[] {
  return [...new Set(Array.from({ length: 1 + random.int(most) }, () => random.pick(values)))];
}

/** Compares the audit events of all requests. Resolves with the number of requests whose events differ. */
export async function reportAudits(flags: Pair<AuditFlags>): Promise<number> {
  await delay(SETTLED_MS);
  const [mine, theirs] = flags.map((each) => eventsOf(each["audit-log-path"] as string)) as [Events, Events];
  const found = [...new Set([...mine.keys(), ...theirs.keys()])].flatMap((id) => {
    const events = [mine, theirs].map((all) => all.get(id) ?? []);
    const [left, right] = events.map((lines) => lines.map(comparableEvent));
    const different = differencesOf("", left, right);
    return different.length === 0 ? [] : [{ id, different, events }];
  });
  writeFileSync(FILE, JSON.stringify(found, null, 2));
  for (const { id, different } of found.slice(0, PRINTED)) console.log(`${id}: ${different.join("; ").slice(0, 300)}`);
  console.log(`${mine.size} requests, ${found.length} audited differently; all of them are in ${FILE}`);
  return found.length;
}

/** Lines of each request, by the audit ID that the comparison sent. */
type Events = ReadonlyMap<string, readonly string[]>;

function eventsOf(path: string): Events {
  const events = new Map<string, string[]>();
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const id = line === "" ? "" : JSON.parse(line).auditID;
    if (id.startsWith("audit-")) events.set(id, [...(events.get(id) ?? []), line]);
  }
  return events;
}
