import type { Container } from "../../../api-definitions/core/v1/container.ts";
import type { PodSpec } from "../../../api-definitions/core/v1/pod-spec.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../../contract/admission.ts";
import type { ApiObject, ObjectMeta } from "../../contract/api-object.ts";
import { fieldErrorText } from "../../contract/field-error.ts";
import { aggregateMessages } from "../../values/aggregate-messages.ts";
import { forbidden, internalError, invalid } from "../../values/status-errors.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import { podSecuritySettings } from "../pod-security/pod-security-settings.ts";
import {
  compareLevels,
  formatLevel,
  type LevelVersion,
  type PodSecurityPolicy,
  PRIVILEGED,
  type ReadPolicy,
  readPolicy,
} from "../pod-security/policy-labels.ts";
import { type CheckSettings, describeFindings, evaluatePod } from "../pod-security/standards.ts";
import type { Pod } from "../pod-shape.ts";
import { CREATE_AND_UPDATE } from "../requests.ts";

const IGNORED_SUBRESOURCES = "exec attach binding eviction log portforward proxy status".split(" ");
/** Maximum number of existing pods that are checked when a namespace gets a stricter policy. */
const MAXIMUM_PODS = 3000;

/** Path of the pod template in each kind that has one. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  "/replicationcontrollers": ["spec", "template"],
  "/podtemplates": ["template"],
  "apps/replicasets": ["spec", "template"],
  "apps/deployments": ["spec", "template"],
  "apps/statefulsets": ["spec", "template"],
  "apps/daemonsets": ["spec", "template"],
  "batch/jobs": ["spec", "template"],
  "batch/cronjobs": ["spec", "jobTemplate", "spec", "template"],
};

/** Names of resources that may be handled. Their groups are checked later. */
const CONCERNED = new Set(["namespaces", "pods", ...Object.keys(TEMPLATES).map((where) => where.replace(/^.*\//, ""))]);

/** Enforces the Pod Security Standard of the namespace labels on pods. Warns about pod templates that violate it. */
export function createPodSecurity({ naming, reader, settings, featureEnabled }: PluginEnvironment): AdmissionPlugin {
  const { defaults, exempt } = settings?.podSecurity ?? podSecuritySettings({});
  const checkSettings: CheckSettings = {
    keys: {
      appArmorPrefix: naming.key("", "container.apparmor.security.beta"),
      seccompPod: naming.key("pod", "seccomp.security.alpha"),
      seccompPrefix: naming.key("", "container.seccomp.security.alpha"),
    },
    relaxesOwnUsers: featureEnabled("UserNamespacesPodSecurityStandards"),
  };

  /** Parsed policies by namespace object, since many pods are created in the same namespace. */
  const policies = new WeakMap<ApiObject, ReadPolicy>();

  async function policyOf(request: AdmissionRequest): Promise<ReadPolicy> {
    const namespace = await reader.get({ group: "", resource: "namespaces" }, "", request.namespace);
    if (namespace === undefined) throw internalError(`failed to lookup namespace "${request.namespace}"`);
    const known = policies.get(namespace) ?? readPolicy(namespace.metadata.labels ?? {}, naming, defaults);
    policies.set(namespace, known);
    return known;
  }

  /** Whether a request is exempt. If so, adds the reason to its audit event. */
  function isExempt(request: AdmissionRequest): boolean {
    if (exempt.namespaces.includes(request.namespace)) noteExemption(request, "namespace");
    else if (exempt.usernames.includes(request.user.name)) noteExemption(request, "user");
    else return false;
    return true;
  }

  function noteExemption(request: AdmissionRequest, reason: string): void {
    request.annotate(naming.key("exempt", "pod-security"), reason);
  }

  async function checkNamespace(request: AdmissionRequest, namespace: ApiObject): Promise<void> {
    const labels = namespace.metadata.labels ?? {};
    const name = namespace.metadata.name ?? "";
    const { policy, problems } = readPolicy(labels, naming, defaults);
    const old = readPolicy(request.oldObject?.metadata.labels ?? {}, naming, defaults);
    const known = request.operation === "UPDATE" && JSON.stringify(problems) === JSON.stringify(old.problems);
    if (problems.length > 0 && !known) throw invalid(request.kind, request.name, problems);
    const ignored = exempt.namespaces.includes(name) ? ignoredPolicy(labels, policy) : undefined;
    const warnOfIgnored = (): void => {
      if (ignored !== undefined)
        request.warn(`namespace "${name}" is exempt from Pod Security, and the policy (${ignored}) will be ignored`);
    };
    if (request.operation === "CREATE") return warnOfIgnored();
    const before = old.policy.enforce;
    const after = policy.enforce;
    if (after.level === "privileged") return;
    if (after.version === before.version && compareLevels(after.level, before.level) <= 0) return;
    if (exempt.namespaces.includes(name)) return warnOfIgnored();
    for (const warning of await warningsForPods(name, after)) request.warn(warning);
  }

  /** Returns the policy of the labels that an exemption makes ineffective; undefined if there is none. */
  function ignoredPolicy(labels: Readonly<Record<string, string>>, policy: PodSecurityPolicy): string | undefined {
    const modes = ["enforce", "audit", "warn"] as const;
    if (modes.every((mode) => policy[mode].level === "privileged")) return undefined;
    if (modes.every((mode) => formatLevel(policy[mode]) === formatLevel(defaults[mode]))) return undefined;
    const isGiven = (mode: string) =>
      [mode, `${mode}-version`].some((each) => naming.key(each, "pod-security") in labels);
    return modes
      .filter((mode) => policy[mode].level !== "privileged" && isGiven(mode))
      .map((mode) => `${mode}=${formatLevel(policy[mode])}`)
      .join(", ");
  }

  async function warningsForPods(namespace: string, enforce: LevelVersion): Promise<string[]> {
    const all = (await reader.list({ group: "", resource: "pods" }, namespace)) as readonly Pod[];
    const pods = representativesFirst(all.filter(({ spec }) => !exempt.runtimeClasses.includes(runtimeClassOf(spec))));
    const byReason = new Map<string, string[]>();
    for (const { metadata, spec } of pods.slice(0, MAXIMUM_PODS)) {
      const findings = evaluatePod(enforce, spec, metadata, checkSettings);
      if (findings.length === 0) continue;
      const reason = findings.map((finding) => finding.reason).join(", ");
      byReason.set(reason, [...(byReason.get(reason) ?? []), metadata.name ?? ""]);
    }
    const warnings: string[] = [];
    if (pods.length > MAXIMUM_PODS)
      warnings.push(
        `new PodSecurity enforce level only checked against the first ${MAXIMUM_PODS} of ${pods.length} existing pods`,
      );
    if (byReason.size > 0)
      warnings.push(
        `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${formatLevel(enforce)}"`,
      );
    const perReason = [...byReason].map(([reason, names]) => {
      const others = names.length - 1;
      const more = others === 0 ? "" : ` (and ${others} other ${others === 1 ? "pod" : "pods"})`;
      return `${[...names].sort()[0]}${more}: ${reason}`;
    });
    return [...warnings, ...perReason.sort()];
  }

  function evaluate(request: AdmissionRequest, { policy, problems: bad }: ReadPolicy, pod: Template, enforce: boolean) {
    if (exempt.runtimeClasses.includes(runtimeClassOf(pod.spec))) return noteExemption(request, "runtimeClass");
    if (bad.length > 0) {
      const reason = aggregateMessages(bad.map(fieldErrorText));
      request.annotate(naming.key("error", "pod-security"), `Failed to parse policy: ${reason}`);
    }
    const problemsAt = (level: LevelVersion) =>
      describeFindings(evaluatePod(level, pod.spec, pod.metadata ?? {}, checkSettings));
    const audit = problemsAt(policy.audit);
    if (audit !== "")
      request.annotate(
        naming.key("audit-violations", "pod-security"),
        `would violate PodSecurity "${formatLevel(policy.audit)}": ${audit}`,
      );
    if (enforce) {
      request.annotate(naming.key("enforce-policy", "pod-security"), formatLevel(policy.enforce));
      const problems = problemsAt(policy.enforce);
      if (problems !== "")
        throw forbidden(
          request.resource,
          request.name,
          `violates PodSecurity "${formatLevel(policy.enforce)}": ${problems}`,
        );
    }
    const problems = problemsAt(policy.warn);
    if (problems !== "") request.warn(`would violate PodSecurity "${formatLevel(policy.warn)}": ${problems}`);
  }

  return {
    name: "PodSecurity",
    operations: CREATE_AND_UPDATE,
    resources: CONCERNED,
    async validate(request) {
      const { object, oldObject, resource, subresource, operation } = request;
      if (object === undefined) return;
      const where = `${resource.group}/${resource.resource}`;
      if (where === "/namespaces") {
        if (subresource === "") await checkNamespace(request, object);
      } else if (where === "/pods") {
        if (IGNORED_SUBRESOURCES.includes(subresource) || isExempt(request)) return;
        const read = await policyOf(request);
        if (allows(read, ["enforce", "audit", "warn"]))
          return request.annotate(naming.key("enforce-policy", "pod-security"), formatLevel(PRIVILEGED));
        if (operation === "UPDATE" && !isSignificant(object as Pod, oldObject as Pod)) return;
        evaluate(request, read, object as Pod, true);
      } else if (subresource === "" && TEMPLATES[where] !== undefined && !isExempt(request)) {
        const read = await policyOf(request);
        if (allows(read, ["audit", "warn"])) return;
        const template = templateIn(object, TEMPLATES[where]);
        if (template?.spec !== undefined) evaluate(request, read, template, false);
      }
    },
  };
}

/** Whether a policy without errors allows every pod in these modes. */
function allows({ policy, problems }: ReadPolicy, modes: readonly (keyof PodSecurityPolicy)[]): boolean {
  return problems.length === 0 && modes.every((mode) => policy[mode].level === "privileged");
}

/** Returns the runtime class of a pod; empty if it has none. */
function runtimeClassOf(spec: PodSpec): string {
  return (spec as { runtimeClassName?: string }).runtimeClassName ?? "";
}

interface Template {
  readonly metadata?: ObjectMeta;
  readonly spec: PodSpec;
}

function templateIn(object: ApiObject, path: readonly string[]): Template | undefined {
  let value: unknown = object;
  for (const field of path) value = (value as Record<string, unknown> | undefined)?.[field];
  return value as Template | undefined;
}

/** Whether an update must be checked again: it adds or changes images or containers. */
function isSignificant({ spec }: Pod, { spec: old }: Pod): boolean {
  const image = (container: Container | undefined) => (container as { image?: string } | undefined)?.image;
  const differ = (list: readonly Container[] = [], before: readonly Container[] = []) =>
    list.length !== before.length || list.some((container, index) => image(container) !== image(before[index]));
  if (differ(spec.containers, old.containers) || differ(spec.initContainers, old.initContainers)) return true;
  const known = new Map((old.ephemeralContainers ?? []).map((container) => [container.name, image(container)]));
  return (spec.ephemeralContainers ?? []).some(
    (container) => !known.has(container.name) || known.get(container.name) !== image(container),
  );
}

/** Moves one pod of each controller to the front, so that a limited check covers as many controllers as possible. */
function representativesFirst(pods: readonly Pod[]): Pod[] {
  const first: Pod[] = [];
  const rest: Pod[] = [];
  const seen = new Set<string>();
  for (const pod of pods) {
    const controller = pod.metadata.ownerReferences?.find((reference) => reference.controller)?.uid;
    (controller !== undefined && seen.has(controller) ? rest : first).push(pod);
    if (controller !== undefined) seen.add(controller);
  }
  return [...first, ...rest];
}
