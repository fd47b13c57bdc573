import { isDeepStrictEqual } from "node:util";
import type { Namespace as NamespaceKind } from "../../api-definitions/core/v1/namespace.ts";
import type { ApiObject, ObjectOf } from "../contract/api-object.ts";
import { hasReason } from "../contract/status.ts";
import { WorkQueue } from "../lib/work-queue.ts";
import { type Controller, type ControllerParts, createQueueController, queueOptions } from "./controller.ts";

/** Name of the ConfigMap with the CA certificate. */
const AUTHORITY = "kube-root-ca.crt";
const NAMESPACE = { group: "", resource: "namespaces" };

type Namespace = ObjectOf<NamespaceKind>;

/**
 * Maintains the objects in every namespace on which pods rely: the `default` service account, and the CA certificate with which they verify this
 * server. Restores them when they are deleted or changed.
 */
export function createNamespaceContents(parts: ControllerParts & { readonly authorityPem: string }): Controller {
  const { naming, reader, writer, feed } = parts;
  const name = "namespace-contents";
  const queue = new WorkQueue(sync, queueOptions(name, parts));

  const wanted = (namespace: string): { resource: { group: string; resource: string }; object: ApiObject }[] => [
    {
      resource: { group: "", resource: "serviceaccounts" },
      object: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace } },
    },
    {
      resource: { group: "", resource: "configmaps" },
      object: {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: {
          name: AUTHORITY,
          namespace,
          annotations: {
            [naming.key("description")]: "The authority by which clients inside the cluster know the API server.",
          },
        },
        data: { "ca.crt": parts.authorityPem },
      },
    },
  ];

  async function sync(key: string): Promise<undefined> {
    const namespace = (await reader.get(NAMESPACE, "", key)) as Namespace | undefined;
    if (namespace === undefined || namespace.metadata.deletionTimestamp !== undefined) return;
    for (const { resource, object } of wanted(key)) {
      const stored = await reader.get(resource, key, object.metadata.name ?? "");
      try {
        if (stored === undefined) await writer.create(resource, object);
        else if (object.data !== undefined && !isDeepStrictEqual(stored.data, object.data))
          await writer.update(resource, { ...stored, data: object.data });
      } catch (error) {
        // Another client wrote first, or the namespace is being deleted: the watch delivers the change.
        if (!hasReason(error, "AlreadyExists", "Conflict", "NotFound", "Forbidden")) throw error;
      }
    }
  }

  const followNamespaces = () =>
    feed.follow(NAMESPACE, ({ type, object }) => {
      if (type === "put") queue.add(object.metadata.name ?? "");
    });
  const followAccounts = () =>
    feed.follow(
      { group: "", resource: "serviceaccounts" },
      (change) => {
        if (change.type === "delete" && change.name === "default") queue.add(change.metadata.namespace ?? "");
      },
      () => false,
    );
  const followAuthorities = () =>
    feed.follow(
      { group: "", resource: "configmaps" },
      (change) => {
        if (change.name === AUTHORITY) queue.add(change.metadata.namespace ?? "");
      },
      ({ name: existing }) => existing === AUTHORITY,
    );
  return createQueueController(name, queue, [followNamespaces, followAccounts, followAuthorities]);
}
