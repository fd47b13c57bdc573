import type { Container } from "../../../api-definitions/core/v1/container.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../../contract/admission.ts";
import type { ApiObject } from "../../contract/api-object.ts";
import { aggregateMessages } from "../../values/aggregate-messages.ts";
import { type Amounts, NO_AMOUNTS, readAmounts } from "../../values/amounts.ts";
import { compareQuantities, formatQuantity, type Quantity, quantityAt } from "../../values/quantity.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import type { Pod, ResourceList } from "../pod-shape.ts";
import { podAmounts } from "../quota/pod-resources.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { CREATE_AND_UPDATE, isFor } from "../requests.ts";

interface LimitRangeItem {
  readonly type: string;
  readonly min?: ResourceList;
  readonly max?: ResourceList;
  readonly default?: ResourceList;
  readonly defaultRequest?: ResourceList;
  readonly maxLimitRequestRatio?: ResourceList;
}

interface LimitRange extends ApiObject {
  spec?: { limits?: LimitRangeItem[] };
}

/** Sets the default requests and limits of a namespace, and rejects objects outside of its bounds. */
export function createLimitRanger({ naming, reader }: PluginEnvironment): AdmissionPlugin {
  const annotation = naming.key("limit-ranger");
  const rangesOf = async (request: AdmissionRequest) =>
    (await reader.list({ group: "", resource: "limitranges" }, request.namespace)) as readonly LimitRange[];

  function applies(request: AdmissionRequest): boolean {
    if (request.object === undefined || request.oldObject?.metadata.deletionTimestamp !== undefined) return false;
    if (isFor(request, "", "pods")) return request.operation === "CREATE";
    if (isFor(request, "", "pods", "resize")) return request.operation === "UPDATE";
    return isFor(request, "", "persistentvolumeclaims");
  }

  return {
    name: "LimitRanger",
    operations: CREATE_AND_UPDATE,
    resources: new Set(["pods", "persistentvolumeclaims"]),
    async mutate(request) {
      if (!applies(request) || request.resource.resource !== "pods") return;
      for (const range of await rangesOf(request)) setDefaults(range, request.object as Pod, annotation);
    },
    async validate(request) {
      if (!applies(request)) return;
      for (const range of await rangesOf(request)) {
        const complaints =
          request.resource.resource === "pods"
            ? checkPod(range, request.object as Pod)
            : checkClaim(range, request.object as ApiObject);
        if (complaints.length > 0) throw refuseAdmission(request, aggregateMessages(complaints));
      }
    },
  };
}

function setDefaults(range: LimitRange, pod: Pod, annotation: string): void {
  const items = (range.spec?.limits ?? []).filter((item) => item.type === "Container");
  const limits: ResourceList = Object.assign({}, ...items.map((item) => item.default));
  const requests: ResourceList = Object.assign({}, ...items.map((item) => item.defaultRequest));
  const notes: string[] = [];
  const fill = (container: Container, word: string) => {
    for (const [which, defaults] of [
      ["requests", requests],
      ["limits", limits],
    ] as const) {
      const given = container.resources?.[which] ?? {};
      const missing = Object.keys(defaults).filter((name) => given[name] === undefined);
      if (missing.length === 0) continue;
      const added = Object.fromEntries(missing.map((name) => [name, defaults[name] as string]));
      container.resources = { ...container.resources, [which]: { ...given, ...added } };
      notes.push(`${missing.sort().join(", ")} ${which.slice(0, -1)} for ${word} ${container.name}`);
    }
  };
  for (const container of pod.spec.containers ?? []) fill(container, "container");
  for (const container of pod.spec.initContainers ?? []) fill(container, "init container");
  if (notes.length === 0) return;
  const note = `LimitRanger plugin set: ${notes.join("; ")}`;
  pod.metadata.annotations = { ...pod.metadata.annotations, [annotation]: note };
}

function checkPod(range: LimitRange, pod: Pod): string[] {
  return (range.spec?.limits ?? []).flatMap((item) => {
    if (item.type === "Container")
      return [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].flatMap(({ resources }) =>
        checkBounds(item, readAmounts(resources?.requests), readAmounts(resources?.limits)),
      );
    if (item.type !== "Pod") return [];
    const whole = (which: "requests" | "limits") => podAmounts(pod.spec, which, { overhead: false });
    return checkBounds(item, whole("requests"), whole("limits"));
  });
}

function checkClaim(range: LimitRange, claim: ApiObject): string[] {
  const spec = claim.spec as { resources?: { requests?: ResourceList } } | undefined;
  const requests = readAmounts(spec?.resources?.requests);
  return (range.spec?.limits ?? [])
    .filter((item) => item.type === "PersistentVolumeClaim")
    .flatMap((item) => [
      ...each(item.min, (name, bound) => checkMinimum(item.type, name, bound, requests, NO_AMOUNTS)),
      ...each(item.max, (name, bound) => checkAtMost(item.type, name, bound, "request", requests.get(name))),
    ]);
}

function checkBounds(item: LimitRangeItem, requests: Amounts, limits: Amounts): string[] {
  return [
    ...each(item.min, (name, bound) => checkMinimum(item.type, name, bound, requests, limits)),
    ...each(item.max, (name, bound) => {
      const asked = requests.get(name);
      return (
        checkAtMost(item.type, name, bound, "limit", limits.get(name)) ??
        (asked === undefined ? undefined : checkAtMost(item.type, name, bound, "request", asked))
      );
    }),
    ...each(item.maxLimitRequestRatio, (name, bound) =>
      checkRatio(item.type, name, bound, requests.get(name), limits.get(name)),
    ),
  ];
}

function each(
  bounds: ResourceList | undefined,
  check: (name: string, bound: Quantity) => string | undefined,
): string[] {
  return [...readAmounts(bounds)].flatMap(([name, bound]) => check(name, bound) ?? []);
}

function checkMinimum(type: string, name: string, bound: Quantity, requests: Amounts, limits: Amounts) {
  const rule = `minimum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  if (request === undefined) return `${rule}.  No request is specified`;
  if (compareQuantities(request, bound) < 0) return `${rule}, but request is ${formatQuantity(request)}`;
  if (limit !== undefined && compareQuantities(limit, bound) < 0)
    return `${rule}, but limit is ${formatQuantity(limit)}`;
  return undefined;
}

function checkAtMost(type: string, name: string, bound: Quantity, word: string, amount: Quantity | undefined) {
  const rule = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (amount === undefined) return `${rule}.  No ${word} is specified`;
  return compareQuantities(amount, bound) > 0 ? `${rule}, but ${word} is ${formatQuantity(amount)}` : undefined;
}

function checkRatio(type: string, name: string, bound: Quantity, request?: Quantity, limit?: Quantity) {
  const rule = `${name} max limit to request ratio per ${type} is ${formatQuantity(bound)}`;
  if (request === undefined || request.unscaled === 0n) return `${rule}, but no request is specified or request is 0`;
  if (limit === undefined || limit.unscaled === 0n) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = Number(quantityAt(limit, -3)) / Number(quantityAt(request, -3));
  return ratio * 1000 > Number(quantityAt(bound, -3))
    ? `${rule}, but provided ratio is ${ratio.toFixed(6)}`
    : undefined;
}
