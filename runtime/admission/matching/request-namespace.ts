import type { AdmissionRequest } from "../../contract/admission.ts";

/** Whether the object of the request is a Namespace. */
export function isNamespaceItself({ resource }: AdmissionRequest): boolean {
  return resource.group === "" && resource.resource === "namespaces";
}

/** Returns the namespace of a request as policies and webhooks see it: for a Namespace, its own name. */
export function namespaceOf(request: AdmissionRequest): string {
  if (!isNamespaceItself(request)) return request.namespace;
  return request.name || request.object?.metadata.name || "";
}
