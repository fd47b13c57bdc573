import type { RequestInput } from "../input.ts";
import { CONFIG_MAPS, LARGE_NAMESPACE, type LargeInput, list, read, send } from "./requests.ts";

const MANY = 10_000;
const MANY_NAMESPACE = "large-many";
const SMALL_MAPS = `/api/v1/namespaces/${MANY_NAMESPACE}/configmaps`;

/** Many small objects, and the deletion of all of them. */
export function collections(): LargeInput[] {
  return [
    ...listsOfMany(),
    ...["Background", "Foreground", "Orphan"].map(ownerOfMany),
    deletionOfNamespace("a namespace with 10,000 objects", MANY_NAMESPACE),
    { what: "delete the collection of ConfigMaps", make: () => send("DELETE", CONFIG_MAPS), isOnce: true },
    { what: "delete the namespace", make: () => send("DELETE", `/api/v1/namespaces/${LARGE_NAMESPACE}`), isOnce: true },
  ];
}

function listsOfMany(): LargeInput[] {
  const formats: readonly [string, string][] = [
    ["JSON", "application/json"],
    ["YAML", "application/yaml"],
    ["CBOR", "application/cbor"],
    ["protobuf", "application/vnd.kubernetes.protobuf"],
    ["a table", "application/json;as=Table;v=v1;g=meta.k8s.io"],
    ["metadata", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"],
  ];
  let isFilled = false;
  // Sent once: the other lists contain the same objects in another format.
  const fill = (): RequestInput[] => {
    if (isFilled) return [];
    isFilled = true;
    const namespace = send("POST", "/api/v1/namespaces", { metadata: { name: MANY_NAMESPACE } });
    return [namespace, ...list(MANY, (index) => send("POST", SMALL_MAPS, small(`n${index}`)))];
  };
  return formats.map(([what, accept]) => ({
    what: `list 10,000 objects as ${what}`,
    before: fill,
    make: () => read(SMALL_MAPS, accept),
  }));
}

/** The input is done when the dependents are deleted or have lost their owner. */
function ownerOfMany(propagationPolicy: string): LargeInput {
  const name = (attempt: number) => `owner-${attempt}`;
  const labels = (attempt: number) => ({ owner: name(attempt) });
  return {
    what: `delete the owner of 10,000 objects with ${propagationPolicy}`,
    *before(attempt, answers) {
      yield send("POST", CONFIG_MAPS, small(name(attempt)));
      const { uid } = (JSON.parse(answers[0] ?? "") as { metadata: { uid: string } }).metadata;
      const owner = { apiVersion: "v1", kind: "ConfigMap", name: name(attempt), uid, blockOwnerDeletion: true };
      for (let index = 0; index < MANY; index++)
        yield send("POST", CONFIG_MAPS, {
          metadata: { name: `${name(attempt)}-${index}`, labels: labels(attempt), ownerReferences: [owner] },
        });
    },
    make: (attempt) => send("DELETE", `${CONFIG_MAPS}/${name(attempt)}`, { propagationPolicy }),
    until: (attempt) => {
      // For background deletion the last dependent in deletion order, otherwise the owner.
      const last = propagationPolicy === "Background" ? `${name(attempt)}-${MANY - 1}` : name(attempt);
      return { request: send("GET", `${CONFIG_MAPS}/${last}`), status: 404 };
    },
    isOnce: true,
  };
}

function deletionOfNamespace(what: string, name: string): LargeInput {
  const target = `/api/v1/namespaces/${name}`;
  return {
    what: `delete ${what}`,
    make: () => send("DELETE", target),
    until: () => ({ request: send("GET", target), status: 404 }),
    isOnce: true,
  };
}

const small = (name: string) => ({ metadata: { name }, data: { a: "b" } });
