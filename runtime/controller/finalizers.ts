import { isNotFound } from "../client/api-error.ts";
import type { KindClient } from "../client/kind-client.ts";
import type { Stored, UntypedObject } from "../client/object-types.ts";
import { retryOnConflict } from "../client/retry-on-conflict.ts";
import type { Finalizer, ReconcileContext, Result } from "./controller.ts";

type Untyped = Stored<UntypedObject>;
type Untypeds = KindClient<UntypedObject>;

/** Adds missing finalizers. Returns the object with all of them. Rejects with a `ConflictError` if it has changed meanwhile. */
export async function withFinalizers(client: Untypeds, object: Untyped, names: readonly string[]): Promise<Untyped> {
  const { finalizers = [], resourceVersion } = object.metadata;
  const missing = names.filter((name) => !finalizers.includes(name));
  if (missing.length === 0) return object;
  const metadata = { resourceVersion, finalizers: [...finalizers, ...missing] };
  return client.patch(keyOf(object), { merge: { metadata } });
}

/** Runs the clean-ups of an object that is being deleted, in order, and removes each finalizer when its clean-up is finished. */
export async function cleanUp(
  client: Untypeds,
  object: Untyped,
  {
    finalizers,
    context,
  }: { readonly finalizers: readonly Finalizer[]; readonly context: ReconcileContext<UntypedObject> },
): Promise<Result> {
  for (const { name, cleanUp: clean } of finalizers) {
    if (!object.metadata.finalizers?.includes(name)) continue;
    const result = (await clean(object, context)) as Result;
    if (result?.requeueAfter !== undefined) return result;
    await removeFinalizer(client, object, name);
  }
  return undefined;
}

async function removeFinalizer(client: Untypeds, object: Untyped, name: string): Promise<void> {
  const { uid } = object.metadata;
  try {
    await retryOnConflict(async () => {
      // Reads the object from the server: the cache may be outdated, and the finished clean-up should not be repeated because of a conflict.
      const { metadata } = await client.get(keyOf(object));
      if (metadata.uid !== uid || !metadata.finalizers?.includes(name)) return;
      const finalizers = metadata.finalizers.filter((one) => one !== name);
      await client.patch(keyOf(object), {
        merge: { metadata: { resourceVersion: metadata.resourceVersion, finalizers } },
      });
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function keyOf({ metadata: { name, namespace } }: Untyped): { name: string; namespace: string } {
  // Cluster-scoped kinds have no namespace, but the type of untyped objects requires one.
  return { name, namespace: namespace as string };
}
