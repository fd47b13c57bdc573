// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { runtimeClass as defineRuntimeClass, type RuntimeClass } from "../../api-definitions/node/v1beta1/runtime-class.ts";

/** A configuration of the container runtime that pods can select in `runtimeClassName`, such as a sandbox with stronger isolation. */
export const runtimeclasses = resourceToken<RuntimeClass>({
  group: "node.k8s.io",
  version: "v1beta1",
  kind: "RuntimeClass",
  resource: "runtimeclasses",
  namespaced: false,
}, defineRuntimeClass);
