import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { Random } from "../../../hostile/random.ts";
import { STREAMED_KINDS, type StreamedKind } from "../streamed-kinds.ts";

const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "x" };
const regarding = { kind: "Pod", name: "p", namespace: "NAMESPACE" };

/** Kinds that are served in several versions or groups, and kinds with subresources. */
const OTHERS: readonly StreamedKind[] = [
  ...["v1", "v2"].map((version) => ({
    root: `/apis/autoscaling/${version}`,
    plural: "horizontalpodautoscalers",
    objects: [{ kind: "HorizontalPodAutoscaler", spec: { scaleTargetRef, maxReplicas: 3 } }],
    changes: [{ spec: { maxReplicas: 4 } }, { spec: { minReplicas: 2 } }],
    statuses: [{ status: { currentReplicas: 1, desiredReplicas: 2 } }],
  })),
  {
    root: "/apis/events.k8s.io/v1",
    plural: "events",
    objects: [
      {
        kind: "Event",
        regarding,
        reason: "R",
        type: "Normal",
        action: "A",
        eventTime: "2020-01-01T00:00:00.000001Z",
        reportingController: "example.com/c",
        reportingInstance: "i",
      },
    ],
    changes: [{ metadata: { annotations: { a: "b" } } }],
  },
  { root: "/api/v1", plural: "serviceaccounts", objects: [{ kind: "ServiceAccount" }] },
];

/** Returns the kinds of an episode, some with a higher probability. */
export function randomKinds(random: Random): StreamedKind[] {
  const all = [...STREAMED_KINDS, ...OTHERS, ...OTHERS];
  const frequent = all.filter(({ plural }) => /^(pods|deployments|widgets|horizontalpodautoscalers)$/.test(plural));
  return [random.pick(frequent), random.pick(all), random.pick(all)];
}

const groupVersion = ({ root }: StreamedKind): [group: string, version: string] => {
  const [version = "", group = ""] = root
    .replace(/^\/apis?\//, "")
    .split("/")
    .reverse();
  return [group, version];
};

function rule(random: Random, kinds: readonly StreamedKind[], operations: readonly (readonly string[])[]): Parsed {
  const kind = random.pick(kinds);
  const [group, version] = groupVersion(kind);
  const { plural } = kind;
  const other = version === "v1" ? random.pick(["v2", "v1beta1", "v1"]) : "v1";
  return {
    apiGroups: random.pick([
      [group],
      [group],
      [group, "apps"],
      ["*"],
      plural === "events" ? ["", "events.k8s.io"] : [group],
    ]),
    apiVersions: random.pick([[version], ["*"], [other], ["v1", "v2"], [other, version]]),
    resources: random.pick([
      [plural],
      [plural, `${plural}/*`],
      ["*"],
      ["*/*"],
      [`${plural}/status`, `${plural}/scale`],
      ["*/scale", plural],
      ["*/status"],
      [plural, "pods/eviction", "pods/binding", "pods/ephemeralcontainers", "pods/resize", "serviceaccounts/token"],
      [plural, "pods/exec", "pods/attach", "pods/portforward", "services/proxy", "pods/proxy", "nodes/proxy"],
    ]),
    operations: random.pick(operations),
  };
}

const OPERATIONS = [["*"], ["*"], ["CREATE"], ["CREATE", "UPDATE"], ["UPDATE"], ["DELETE"], ["CONNECT", "DELETE"]];

/** Returns what a policy or webhook of an episode matches: only objects in its namespace, and cluster-scoped ones with its label. */
export function randomMatch(
  random: Random,
  id: string,
  kinds: readonly StreamedKind[],
  operations: readonly (readonly string[])[] = OPERATIONS,
): { rules: Parsed[]; selection: Parsed } {
  const inNamespace = random.chance(0.6);
  const make = () => {
    const made = rule(random, kinds, operations);
    if (inNamespace) made.scope = "Namespaced";
    else if (random.chance(0.3)) made.scope = random.pick(["*", "Namespaced", "Cluster"]);
    return made;
  };
  const rules = [make(), ...random.times(1, make)];
  const labelled = { matchLabels: { episode: id, ...(random.chance(0.3) && { colour: "red" }) } };
  const named = { matchLabels: { "kubernetes.io/metadata.name": id } };
  const colourless = { matchExpressions: [{ key: "colour", operator: random.pick(["Exists", "DoesNotExist"]) }] };
  const selection = inNamespace
    ? { namespaceSelector: named, ...(random.chance(0.2) && { objectSelector: random.pick([labelled, colourless]) }) }
    : { objectSelector: labelled, ...(random.chance(0.2) && { namespaceSelector: named }) };
  return {
    rules,
    selection: { ...selection, ...(random.chance(0.8) && { matchPolicy: random.pick(["Equivalent", "Exact"]) }) },
  };
}

/** Returns the match constraints of a policy, whose rules may have resource names. */
export function randomConstraints(
  random: Random,
  id: string,
  kinds: readonly StreamedKind[],
  operations = OPERATIONS,
): Parsed {
  const { rules, selection } = randomMatch(random, id, kinds, operations);
  const named = (made: Parsed): Parsed =>
    random.chance(0.15) ? { ...made, resourceNames: [`${id}-0`, `${id}-1`] } : made;
  return {
    ...selection,
    resourceRules: rules.map(named),
    ...(random.chance(0.15) && { excludeResourceRules: [named(rule(random, kinds, OPERATIONS))] }),
  };
}

/** Match conditions, most of which are true. */
export const CONDITIONS = [
  "request.operation != 'DELETE'",
  "object == null || has(object.metadata) && !has(object.metadata.annotations)",
  "request.resource.version == 'v1'",
  "request.kind.version == 'v1'",
  "request.requestKind.kind == request.kind.kind",
  "!has(request.subResource) || request.subResource != 'status'",
  "object.metadata.labels.colour == 'red'",
  "request.userInfo.username == 'admin'",
  "authorizer.group('').resource('pods').check('create').allowed()",
  "authorizer.requestResource.check('delete').allowed()",
  "oldObject == null || oldObject.metadata.name != 'x'",
  "namespaceObject == null",
  "request.dryRun == false",
];
