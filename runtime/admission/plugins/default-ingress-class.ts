import type { AdmissionPlugin } from "../../contract/admission.ts";
import { findDefaultClass } from "../default-class.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import { CREATE, isFor } from "../requests.ts";

/** Sets the default class, if there is one, on new Ingresses without a class. */
export function createDefaultIngressClass({ naming, reader }: PluginEnvironment): AdmissionPlugin {
  const group = naming.group("networking");
  const oldName = naming.key("ingress.class");
  const mark = naming.key("is-default-class", "ingressclass");
  return {
    name: "DefaultIngressClass",
    operations: CREATE,
    resources: new Set(["ingresses"]),
    async mutate(request) {
      if (!isFor(request, group, "ingresses") || request.object === undefined) return;
      const spec = (request.object.spec ??= {}) as { ingressClassName?: string };
      if (spec.ingressClassName !== undefined || request.object.metadata.annotations?.[oldName] !== undefined) return;
      const found = findDefaultClass(await reader.list({ group, resource: "ingressclasses" }), [mark]);
      if (found !== undefined) spec.ingressClassName = found.metadata.name ?? "";
    },
  };
}
