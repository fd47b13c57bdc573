import type { Ingress, IngressBackend } from "./v1/ingress.ts";
import type { IngressBackend as OldBackend, Ingress as OldIngress } from "./v1beta1/ingress.ts";

/** Completes an Ingress with the backends of an old one: `serviceName` and `servicePort` became `service`. */
export function nestBackends(from: OldIngress, hub: Ingress): void {
  if (hub.spec === undefined) return;
  if (from.spec?.backend !== undefined) hub.spec.defaultBackend = nest(from.spec.backend);
  hub.spec.rules?.forEach((rule, index) => {
    const paths = from.spec?.rules?.[index]?.http?.paths;
    rule.http?.paths?.forEach((path, place) => {
      const old = paths?.[place]?.backend;
      if (old !== undefined) path.backend = nest(old);
    });
  });
}

/** Completes an old Ingress with the backends of a new one. */
export function flattenBackends(hub: Ingress, to: OldIngress): void {
  if (to.spec === undefined) return;
  if (hub.spec?.defaultBackend !== undefined) to.spec.backend = flatten(hub.spec.defaultBackend);
  to.spec.rules?.forEach((rule, index) => {
    const paths = hub.spec?.rules?.[index]?.http?.paths;
    rule.http?.paths?.forEach((path, place) => {
      const backend = paths?.[place]?.backend;
      if (backend !== undefined) path.backend = flatten(backend);
    });
  });
}

/** A numeric port is a port number, a string is a port name. A backend without service name and port has no service. */
function nest({ serviceName = "", servicePort = 0, resource }: OldBackend): IngressBackend {
  const named = serviceName !== "" || servicePort !== 0;
  const given: string | number = servicePort;
  const port = typeof given === "string" ? { name: given } : { number: given };
  return { ...(named && { service: { name: serviceName, port } }), ...(resource && { resource }) };
}

function flatten({ service, resource }: IngressBackend): OldBackend {
  const { name = "", number = 0 } = service?.port ?? {};
  const servicePort: string | number = name === "" ? number : name;
  return {
    ...(service && { serviceName: service.name, servicePort }),
    ...(resource && { resource }),
  };
}
