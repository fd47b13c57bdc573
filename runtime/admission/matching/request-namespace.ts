import type { AdmissionRequest } from "../../contract/admission.ts";

/** Whether the request is about a namespace rather than about something in one. */
export function isNamespaceItself({ resource }: AdmissionRequest): boolean {
  return resource.group === "" && resource.resource === "namespaces";
}

/** The namespace of a request as policies and webhooks see it: a namespace is in itself. */
export function namespaceOf(request: AdmissionRequest): string {
  if (!isNamespaceItself(request)) return request.namespace;
  return request.name || request.object?.metadata.name || "";
}
