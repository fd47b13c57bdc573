import type { ApiObject } from "../contract/api-object.ts";
import { fieldErrorText } from "../contract/field-error.ts";
import type { ResourceDescriptor } from "../contract/resource-descriptor.ts";
import type { ServedKinds } from "./served-kinds.ts";
import type { StoredKind } from "./served-resource.ts";

/** A stored object that validation would reject if it were written again unchanged. */
export interface BrokenObject {
  readonly kind: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  /** For example `spec.seats: Required value` or `unknown field "spec.colour"`. */
  readonly problems: readonly string[];
}

/** Number of objects checked per kind: enough to show the effect of a change, few enough to be fast. */
const CHECKED = 1000;

/** Finds stored objects of these kinds that do not match their declared types and rules. Does not call hooks. */
export async function findBrokenObjects(
  kinds: ServedKinds,
  descriptors: readonly ResourceDescriptor[],
): Promise<BrokenObject[]> {
  const checked = new Set<StoredKind>();
  const broken: BrokenObject[] = [];
  for (const { group, version, resource, virtual } of descriptors) {
    if (virtual) continue;
    const { stored } = await kinds.load(group, version, resource);
    if (checked.has(stored)) continue;
    checked.add(stored);
    const { items } = await stored.cache.list({ scope: stored.prefix, limit: CHECKED });
    for (const { object } of items) {
      const problems = problemsOf(stored, object as unknown as ApiObject);
      if (problems.length === 0) continue;
      const { namespace = "", name = "" } = (object as unknown as ApiObject).metadata;
      broken.push({ kind: stored.gvk.kind, namespace, name, problems });
    }
  }
  return broken;
}

function problemsOf({ schema }: StoredKind, object: ApiObject): string[] {
  const problems: string[] = [];
  try {
    const decoded = schema.decode(object, { problems });
    schema.applyDefaults(decoded);
    return [...problems, ...schema.validate(decoded).map(fieldErrorText)];
  } catch (error) {
    return [...problems, error instanceof Error ? error.message : String(error)];
  }
}
