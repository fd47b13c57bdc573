import { controller, TerminalError } from "typeplane/controller";
import { hostRecord } from "../api-definitions/dns/v1/host-record.ts";
import "../generated/resources/dns.v1.ts";

/** Returns a controller that keeps the records of a zone at a DNS provider, given by its URL, equal to the HostRecords. */
export function hostRecords(zone: string) {
  const send = async (method: "PUT" | "DELETE", host: string, signal: AbortSignal, addresses?: readonly string[]) => {
    const body = addresses === undefined ? null : JSON.stringify({ addresses });
    const response = await fetch(`${zone}/${encodeURIComponent(host)}`, { method, body, signal });
    if (response.ok || (method === "DELETE" && response.status === 404)) return;
    const problem = `the provider answered ${response.status}`;
    // The provider would reject the same request again, so it is only retried when the HostRecord changes.
    throw response.status < 500 ? new TerminalError(problem) : new Error(problem);
  };
  return controller(hostRecord)
    .finalizer("dns.example.com/zone", ({ spec }, { signal }) => send("DELETE", spec.host, signal))
    .reconcile(async ({ spec }, { signal, status }) => {
      await send("PUT", spec.host, signal, spec.addresses);
      await status({ published: spec.addresses });
    });
}

/** The controller for the zone in the environment variable ZONE_URL. */
export const zoneRecords = hostRecords(process.env.ZONE_URL ?? "http://127.0.0.1:8053/zones/example.com");
