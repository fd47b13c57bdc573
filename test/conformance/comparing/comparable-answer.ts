import type { Answer, Parsed } from "../../fixtures/plane-client.ts";

/** Fields whose values each server chooses. */
const CHOSEN = new Set(["uid", "creationTimestamp", "time", "resourceVersion", "clusterIP", "clusterIPs", "nodePort"]);

/** What two servers must answer alike: without what each of them chooses, and what Go prints in any order. */
export function comparableAnswer({ status, headers, text }: Pick<Answer, "status" | "headers" | "text">): unknown {
  const known = text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UID")
    .replaceAll(/20\d\d-\d\d-\d\dT[\d:]+Z/g, "TIME")
    .replaceAll(/(resourceVersion|odePort)(\W+)\d+/g, "$1$20")
    .replaceAll(/10\.96\.\d+\.\d+/g, "ADDRESS")
    .replaceAll(/0xc0[0-9a-f]{8}/g, "POINTER");
  const body = JSON.parse(known, (name, value: unknown) => (CHOSEN.has(name) ? "" : value)) as Parsed;
  const warnings = [headers.warning ?? []].flat().join(", ");
  if (body.kind !== "Status") return { status, warnings, body };
  const { message = "", reason, details } = body;
  return { status, warnings, reason, message: inAnyOrder(message), causes: details?.causes?.map(causeOf).sort() };
}

const causeOf = ({ reason, field, message = "" }: Parsed): string => `${reason} ${field} ${inAnyOrder(message)}`;

/** Errors of maps come in the order in which Go walks them, which is another one each time. */
const inAnyOrder = (message: string): string => [...message].sort().join("");
