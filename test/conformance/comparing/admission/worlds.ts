import { setTimeout as delay } from "node:timers/promises";
import type { Parsed } from "../../../fixtures/plane-client.ts";
import { Random } from "../../../hostile/random.ts";
import type { Send } from "../world.ts";
import { RBAC, randomBinding, randomRole, USERS } from "./access.ts";
import { clusterObjects } from "./cluster-objects.ts";
import { mutationObjects } from "./mutations.ts";
import { coreObjects, namespaceMetadata } from "./namespace-objects.ts";
import { policyObjects } from "./policies.ts";
import { randomLimitRange, randomQuota, randomUsage } from "./quotas.ts";

export const WORLDS = Array.from({ length: 24 }, (_, index) => `world-${index}`);
const POLICIES = 12;
const MUTATIONS = 8;
const SEEN_MS = 3000;
/** Delay between creations of default classes, of which the newest is used, so that their creation times differ by a second. */
const LATER_MS = 1100;
const OPTIONAL = [
  ...["AlwaysPullImages", "DenyServiceExternalIPs", "ExtendedResourceToleration", "LimitPodHardAntiAffinityTopology"],
  ...["NamespaceExists", "OwnerReferencesPermissionEnforcement", "PodNodeSelector", "PodTolerationRestriction"],
];
const GATES = [
  ...["DynamicResourceAllocation", "PodLevelResources", "PodTopologyLabelsAdmission", "VolumeAttributesClass"],
  ...["UserNamespacesPodSecurityStandards", "DRAAdminAccess", "MutatingAdmissionPolicy"],
];

/** Content of a token file: the administrator of both servers, and the users. */
export const TOKENS = [
  "secret,admin,admin,system:masters",
  ...USERS.map((user, index) => `${user}-token,${user},uid-${user},"g${index % 2},g2"`),
].join("\n");

/** Returns the names of some plugins that are disabled by default. */
export function optionalPlugins(seed: number): string {
  const random = Random.ofInput(seed, "plugins", 0);
  return ["NodeRestriction", ...OPTIONAL.filter(() => random.chance(0.5))].join(",");
}

/** Returns some features that are disabled by default and affect decisions. */
export function optionalGates(seed: number): string {
  const random = Random.ofInput(seed, "gates", 0);
  return GATES.map((gate) => `${gate}=${random.chance(0.5)}`).join(",");
}

/** Creates namespaces with random objects that affect requests, and waits until these are in force. */
export async function createAdmissionWorlds(seed: number, send: Send): Promise<void> {
  const random = Random.ofInput(seed, "cluster", 0);
  await create(send, "/api/v1/namespaces/default/serviceaccounts", {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "default" },
    // The name of the token volume differs on each server.
    automountServiceAccountToken: false,
  });
  for (const [path, object] of clusterObjects(random)) {
    await create(send, path, object);
    if (object.metadata.annotations !== undefined) await delay(LATER_MS);
  }
  await Promise.all(
    WORLDS.map((namespace, index) => createWorldOf(Random.ofInput(seed, "world", index), namespace, send)),
  );
  for (let index = 0; index < POLICIES; index++) {
    const worlds = WORLDS.filter((_, at) => at % (POLICIES + 2) === index);
    for (const [path, object] of policyObjects(Random.ofInput(seed, "policy", index), index, worlds))
      await create(send, path, object);
  }
  for (let index = 0; index < MUTATIONS; index++) {
    const worlds = WORLDS.filter((_, at) => at % (POLICIES - 1) === index);
    for (const [path, object] of mutationObjects(Random.ofInput(seed, "mutation", index), index, worlds))
      await create(send, path, object);
  }
  await delay(SEEN_MS);
}

async function createWorldOf(random: Random, namespace: string, send: Send): Promise<void> {
  const patch = (path: string, body: Parsed) =>
    send({ method: "PATCH", path, type: "application/merge-patch+json", bodies: [body, body], what: "world" });
  await create(send, "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const inside = `/api/v1/namespaces/${namespace}`;
  for (const [plural, object] of coreObjects(random)) await create(send, `${inside}/${plural}`, object);
  if (random.chance(0.6)) await create(send, `${inside}/limitranges`, randomLimitRange(random));
  if (random.chance(0.6)) {
    const quota = randomQuota(random);
    await create(send, `${inside}/resourcequotas`, quota);
    // The status is set here, because no controller does so.
    const { hard } = quota.spec;
    await patch(`${inside}/resourcequotas/quota/status`, { status: { hard, used: randomUsage(random, hard) } });
  }
  const rbac = `/apis/${RBAC}/v1/namespaces/${namespace}`;
  for (let index = 0; index < 3; index++) {
    await create(send, `${rbac}/roles`, randomRole(random, "Role", `r${index}`));
    await create(send, `${rbac}/rolebindings`, randomBinding(random, "RoleBinding", `b${index}`, namespace));
  }
  const status = { phase: "Bound", capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] };
  for (const name of ["claim", "slow-claim"])
    await patch(`${inside}/persistentvolumeclaims/${name}/status`, { status });
  await patch(inside, { metadata: namespaceMetadata(random) });
}

function create(send: Send, path: string, object: Parsed): Promise<unknown> {
  return send({ method: "POST", path, bodies: [object, object], what: `world: ${object.kind}` });
}
