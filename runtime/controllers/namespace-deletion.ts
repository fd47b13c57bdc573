import type { NamespaceCondition, Namespace as NamespaceKind } from "../../api-definitions/core/v1/namespace.ts";
import type { ObjectOf } from "../contract/api-object.ts";
import { formatGroupResource } from "../contract/group-version.ts";
import type { GroupResource } from "../contract/object-access.ts";
import { hasReason } from "../contract/status.ts";
import { WorkQueue } from "../lib/work-queue.ts";
import { formatTime } from "../values/times.ts";
import { type Controller, type ControllerParts, createQueueController, queueOptions } from "./controller.ts";

const NAMESPACE = { group: "", resource: "namespaces" };
const isPods = ({ group, resource }: GroupResource) => group === "" && resource === "pods";
/** Retry interval in milliseconds while objects with finalizers or grace periods remain. */
const WAIT = 1000;
/** If a check deleted nothing, the pause until the next one is its duration times this factor, up to the limit. */
const REST_FACTOR = 20;
const LONGEST_WAIT = 8000;

type Namespace = ObjectOf<NamespaceKind>;

/** The remaining contents of a namespace. */
interface Remains {
  readonly counts: ReadonlyMap<string, number>;
  readonly finalizers: ReadonlyMap<string, number>;
  readonly failures: readonly string[];
  /** Milliseconds until the next check. */
  readonly wait: number;
}

/**
 * Deletes the contents of namespaces that are being deleted, reports in their conditions what remains, and finalizes them when they are empty.
 * `resources` are the namespaced resources whose objects can be deleted, as currently served. With `podsFirst`, nothing else is deleted while pods
 * remain: a pod must not outlive the NetworkPolicy that confines it (CVE-2024-7598).
 */
export function createNamespaceDeletion(
  parts: ControllerParts & { readonly resources: () => readonly GroupResource[]; readonly podsFirst?: boolean },
): Controller {
  const { naming, reader, writer, feed } = parts;
  const name = "namespace-deletion";
  const queue = new WorkQueue(sync, queueOptions(name, parts));

  async function sync(key: string): Promise<number | undefined> {
    const namespace = (await reader.get(NAMESPACE, "", key)) as Namespace | undefined;
    if (namespace?.metadata.deletionTimestamp === undefined) return;
    if (!namespace.spec?.finalizers?.includes(naming.vendor)) return;
    const remains = await empty(key);
    try {
      const updated = await report(namespace, remains);
      if (remains.counts.size > 0 || remains.failures.length > 0) return remains.wait;
      // A request that was admitted before the deletion may be stored after its kind was listed. Therefore the namespace is finalized only by a
      // second check, after the report was stored.
      if (updated !== namespace) return 0;
      const finalizers = updated.spec?.finalizers?.filter((finalizer) => finalizer !== naming.vendor) ?? [];
      await writer.update(NAMESPACE, { ...updated, spec: { ...updated.spec, finalizers } }, "finalize");
    } catch (error) {
      if (hasReason(error, "NotFound")) return;
      if (hasReason(error, "Conflict")) return 0;
      throw error;
    }
  }

  /** Deletes everything in the namespace. Returns what remains. */
  async function empty(namespace: string): Promise<Remains> {
    const counts = new Map<string, number>();
    const finalizers = new Map<string, number>();
    const failures: string[] = [];
    const began = performance.now();
    let deletions = 0;
    for (const resource of inOrder(parts.resources())) {
      const found = await reader.listMetadata(resource, namespace).catch((error: Error) => {
        failures.push(error.message);
        return undefined;
      });
      if (found === undefined) {
        if (parts.podsFirst === true && isPods(resource)) break;
        continue;
      }
      for (const { name = "", uid, deletionTimestamp } of found) {
        if (deletionTimestamp !== undefined) continue;
        deletions++;
        try {
          await writer.delete(resource, namespace, name, {
            propagationPolicy: "Background",
            ...(uid !== undefined && { uid }),
          });
        } catch (error) {
          if (hasReason(error, "NotFound", "Conflict")) continue;
          failures.push(error instanceof Error ? error.message : String(error));
        }
      }
      const left = await reader.listMetadata(resource, namespace);
      if (left.length > 0) counts.set(formatGroupResource(resource), left.length);
      for (const finalizer of left.flatMap((metadata) => metadata.finalizers ?? []))
        finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
      if (parts.podsFirst === true && isPods(resource) && left.length > 0) break;
    }
    const tookMs = deletions > 0 ? 0 : performance.now() - began;
    const wait = Math.max(WAIT, Math.min(tookMs * REST_FACTOR, LONGEST_WAIT));
    return { counts, finalizers, failures, wait };
  }

  function inOrder(resources: readonly GroupResource[]): readonly GroupResource[] {
    if (parts.podsFirst !== true) return resources;
    return [...resources.filter(isPods), ...resources.filter((resource) => !isPods(resource))];
  }

  async function report(namespace: Namespace, remains: Remains): Promise<Namespace> {
    const before = namespace.status?.conditions ?? [];
    const now = formatTime(parts.now());
    const conditions = describe(remains).map(([type, status, reason, message]): NamespaceCondition => {
      const known = before.find((condition) => condition.type === type);
      const same = known?.status === status && known.reason === reason && known.message === message;
      return same && known !== undefined
        ? known
        : {
            type,
            status,
            lastTransitionTime: known?.status === status ? known.lastTransitionTime : now,
            reason,
            message,
          };
    });
    const others = before.filter(({ type }) => !conditions.some((condition) => condition.type === type));
    const unchanged = conditions.every((condition) => before.includes(condition));
    if (unchanged) return namespace;
    const status = { ...namespace.status, conditions: [...others, ...conditions] };
    return (await writer.update(NAMESPACE, { ...namespace, status }, "status")).object as Namespace;
  }

  const followNamespaces = () =>
    feed.follow(NAMESPACE, ({ type, object }) => {
      if (type === "put" && object.metadata.deletionTimestamp !== undefined) queue.add(object.metadata.name ?? "");
    });
  return createQueueController(name, queue, [followNamespaces]);
}

type Finding = readonly [type: string, status: "True" | "False", reason: string, message: string];

function describe({ counts, finalizers, failures }: Remains): Finding[] {
  const list = (entries: ReadonlyMap<string, number>, show: (name: string, count: number) => string) =>
    [...entries.keys()]
      .sort()
      .map((name) => show(name, entries.get(name) ?? 0))
      .join(", ");
  return [
    ["NamespaceDeletionDiscoveryFailure", "False", "ResourcesDiscovered", "All resources successfully discovered"],
    [
      "NamespaceDeletionGroupVersionParsingFailure",
      "False",
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ],
    failures.length === 0
      ? [
          "NamespaceDeletionContentFailure",
          "False",
          "ContentDeleted",
          "All content successfully deleted, may be waiting on finalization",
        ]
      : [
          "NamespaceDeletionContentFailure",
          "True",
          "ContentDeletionFailed",
          `Failed to delete all resource types, ${failures.length} remaining: ${[...new Set(failures)].join(", ")}`,
        ],
    counts.size === 0
      ? ["NamespaceContentRemaining", "False", "ContentRemoved", "All content successfully removed"]
      : [
          "NamespaceContentRemaining",
          "True",
          "SomeResourcesRemain",
          `Some resources are remaining: ${list(counts, (resource, count) => `${resource} has ${count} resource instances`)}`,
        ],
    finalizers.size === 0
      ? [
          "NamespaceFinalizersRemaining",
          "False",
          "ContentHasNoFinalizers",
          "All content-preserving finalizers finished",
        ]
      : [
          "NamespaceFinalizersRemaining",
          "True",
          "SomeFinalizersRemain",
          `Some content in the namespace has finalizers remaining: ${list(finalizers, (finalizer, count) => `${finalizer} in ${count} resource instances`)}`,
        ],
  ];
}
