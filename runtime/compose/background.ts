import { reconcileDefaultPolicy } from "../auth/authorize/default-policy/reconcile-policy.ts";
import type { Naming } from "../contract/naming.ts";
import type { GroupResource, ObjectFeed, ObjectReader, ObjectWriter } from "../contract/object-access.ts";
import { bootstrapCluster } from "../controllers/bootstrap/bootstrap-cluster.ts";
import type { Controller, ControllerParts } from "../controllers/controller.ts";
import { createNamespaceContents } from "../controllers/namespace-contents.ts";
import { createNamespaceDeletion } from "../controllers/namespace-deletion.ts";
import { AddressRange } from "../controllers/services/address-range.ts";
import type { ApiSurface } from "../http/api-surface.ts";
import type { Log } from "../lib/log.ts";
import type { ServerConfig } from "./server-config.ts";

export interface BackgroundParts {
  readonly config: ServerConfig;
  readonly naming: Naming;
  readonly objects: ObjectReader & ObjectWriter & ObjectFeed;
  readonly surface: () => ApiSurface;
  readonly authorityPem: string;
  readonly securePort: number;
  readonly now: () => Date;
  readonly log: Log;
}

/** Gives the cluster what it starts with, then keeps controllers running until what is returned is called. */
export async function startBackground(parts: BackgroundParts): Promise<() => Promise<void>> {
  const { config, naming, objects, now } = parts;
  await bootstrapCluster({
    naming,
    reader: objects,
    writer: objects,
    now,
    serviceRanges: config.serviceClusterIpRange.split(",").map((range) => new AddressRange(range.trim())),
    securePort: parts.securePort,
    groupVersions: parts
      .surface()
      .groups.flatMap(({ name, versions }) => versions.map((version) => ({ group: name, version }))),
    clientAuthorityPem: parts.authorityPem,
    ...(config.authorizationModes.includes("RBAC") && {
      reconcilePolicy: () => reconcileDefaultPolicy({ naming, reader: objects, writer: objects }),
    }),
  });
  if (!config.controllers) {
    return async () => undefined;
  }
  const controllers = createControllers(parts);
  await Promise.all(controllers.map((controller) => controller.start()));
  return async () => {
    await Promise.all(controllers.map((controller) => controller.stop()));
  };
}

function createControllers(parts: BackgroundParts): Controller[] {
  const common: ControllerParts = {
    naming: parts.naming,
    reader: parts.objects,
    writer: parts.objects,
    feed: parts.objects,
    now: parts.now,
    delay: abortableDelay,
    onProblem: (controller, key, problem) =>
      parts.log("warn", `${controller}: ${key}: ${problem instanceof Error ? problem.message : String(problem)}`),
  };
  return [
    createNamespaceContents({ ...common, authorityPem: parts.authorityPem }),
    createNamespaceDeletion({ ...common, resources: () => namespacedResources(parts.surface()) }),
  ];
}

/** Everything that lives in namespaces and can be deleted, each stored kind once. */
function namespacedResources(surface: ApiSurface): GroupResource[] {
  const found = new Map<string, GroupResource>();
  for (const { descriptor } of surface.entries()) {
    const { group, resource } = descriptor.storage;
    if (descriptor.namespaced && !descriptor.virtual && descriptor.verbs.includes("delete")) {
      found.set(`${resource}.${group}`, { group, resource });
    }
  }
  return [...found.values()];
}

function abortableDelay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    timer.unref();
    signal.addEventListener("abort", done, { once: true });
  });
}
