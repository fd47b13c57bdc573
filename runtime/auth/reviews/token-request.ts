import type { ApiObject } from "../../contract/api-object.ts";
import type { Naming } from "../../contract/naming.ts";
import type { ObjectReader } from "../../contract/object-access.ts";
import type { VirtualKind } from "../../contract/virtual-kind.ts";
import { goQuote } from "../../go/quote.ts";
import { invalidField } from "../../values/field-errors.ts";
import { checkPathSegment } from "../../values/names.ts";
import { badRequest, conflict, invalid, notFound, requestEntityTooLarge } from "../../values/status-errors.ts";
import { formatTime } from "../../values/times.ts";
import type { ServiceAccountIssuer } from "../authenticate/service-account-issuer.ts";
import type { BoundClaims, ObjectClaim } from "../authenticate/token-claims.ts";

const DEFAULT_SECONDS = 3600;
const MINIMUM_SECONDS = 600;
/** The expirationSeconds that kubelets request for pods. Such tokens are valid for a year, and their use causes warnings after the hour. */
const POD_TOKEN_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 24 * 3600;
/** Maximum length of audiences. A longer token would exceed the 64 KiB that authentication accepts. */
const MAX_AUDIENCES_LENGTH = 48 * 1024;

interface TokenRequestSpec {
  readonly audiences?: readonly string[];
  readonly expirationSeconds?: number;
  readonly boundObjectRef?: { kind?: string; apiVersion?: string; name?: string; uid?: string } | null;
}

export interface TokenRequestParts {
  readonly naming: Naming;
  readonly issuer: ServiceAccountIssuer;
  readonly reader: ObjectReader;
  /** Audiences of this server: the default of token requests. */
  readonly audiences: readonly string[];
  readonly now: () => Date;
  /** `--service-account-max-token-expiration`; 0 means no maximum. */
  readonly maximumSeconds?: number;
  /** `--service-account-extend-token-expiration`; defaults to true. */
  readonly extend?: boolean;
}

/** Creates the handler of the `token` subresource of service accounts. It signs a token for the account in the path. */
export function createTokenRequest(parts: TokenRequestParts): VirtualKind {
  return async (request) => {
    const { object, namespace, name } = request;
    const kind = { group: parts.naming.group("authentication"), kind: "TokenRequest" };
    checkMetadata(request, kind);
    const account = await read(parts.reader, "serviceaccounts", namespace, name);
    const spec = (object.spec ?? {}) as TokenRequestSpec;
    const audiences = spec.audiences?.length ? spec.audiences : parts.audiences;
    refuseLong(audiences);
    let seconds = spec.expirationSeconds ?? DEFAULT_SECONDS;
    checkSeconds(seconds, kind);
    const now = parts.now();
    const metadata = { ...object.metadata, name, namespace, creationTimestamp: formatTime(now) };
    // The zero values as Go encodes them.
    const status = { token: "", expirationTimestamp: null };
    await request.admit({ ...object, metadata, spec: { ...spec, audiences, expirationSeconds: seconds }, status });
    const binding = await resolveBinding(parts.reader, spec.boundObjectRef, namespace, name);
    const maximum = parts.maximumSeconds ?? 0;
    if (maximum > 0 && seconds > maximum) {
      request.warn(`requested expiration of ${seconds} seconds shortened to ${maximum} seconds`);
      seconds = maximum;
    }
    const extended =
      (parts.extend ?? true) &&
      binding.pod !== undefined &&
      seconds === POD_TOKEN_SECONDS &&
      audiences.every((audience) => parts.audiences.includes(audience));
    const bound: BoundClaims = {
      namespace,
      ...binding,
      serviceaccount: claimOf(account),
      ...(extended && { warnafter: Math.floor(now.getTime() / 1000) + seconds }),
    };
    const lifetimeSeconds = extended ? EXTENDED_SECONDS : seconds;
    const { token, id } = await parts.issuer.issue({ bound, audiences, issuedAt: now, lifetimeSeconds });
    request.annotate(parts.naming.key("issued-credential-id", "authentication"), `JTI=${id}`);
    return {
      ...object,
      metadata,
      spec: { ...spec, audiences, expirationSeconds: seconds },
      status: { token, expirationTimestamp: formatTime(new Date(now.getTime() + seconds * 1000)) },
    };
  };
}

type Kind = Parameters<typeof invalid>[0];

function checkMetadata({ object, namespace, name }: Parameters<VirtualKind>[0], kind: Kind): void {
  const given = object.metadata ?? {};
  if (given.name && given.name !== name)
    throw invalid(kind, name, [
      invalidField("metadata.name", given.name, "must match the service account name if specified"),
    ]);
  if (given.namespace && given.namespace !== namespace)
    throw invalid(kind, name, [
      invalidField("metadata.namespace", given.namespace, "must match the service account namespace if specified"),
    ]);
}

function checkSeconds(seconds: number, kind: Kind): void {
  const problem =
    seconds < MINIMUM_SECONDS
      ? "may not specify a duration less than 10 minutes"
      : seconds > 2 ** 32
        ? "may not specify a duration larger than 2^32 seconds"
        : undefined;
  if (problem !== undefined) throw invalid(kind, "", [invalidField("spec.expirationSeconds", seconds, problem)]);
}

/** Throws 413 if the audiences are too long. Each adds its quotes and a comma. */
function refuseLong(audiences: readonly string[]): void {
  let length = 0;
  for (const audience of audiences) length += audience.length + 3;
  if (length > MAX_AUDIENCES_LENGTH)
    throw requestEntityTooLarge(`a token with audiences of more than ${MAX_AUDIENCES_LENGTH} bytes cannot be used`);
}

/** Splits an apiVersion. Kubernetes ignores one with several slashes. */
function groupVersionOf(apiVersion: string): readonly [group: string, version: string] {
  const [group = "", version, ...more] = apiVersion.split("/");
  if (version === undefined) return ["", group];
  return more.length === 0 ? [group, version] : ["", ""];
}

/** Returns the claims about the object that the token is bound to; for a pod also about its node. */
async function resolveBinding(
  reader: ObjectReader,
  ref: TokenRequestSpec["boundObjectRef"],
  namespace: string,
  accountName: string,
): Promise<Pick<BoundClaims, "pod" | "node" | "secret">> {
  if (ref === undefined || ref === null) return {};
  const { kind = "", apiVersion = "", name = "" } = ref;
  const [group, version] = groupVersionOf(apiVersion);
  if (group !== "" || !["Pod", "Node", "Secret"].includes(kind))
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  if (name === "") throw badRequest("Name parameter required.");
  const problems = checkPathSegment(name);
  if (problems.length > 0) throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${problems.join(";")}`);
  const object = await read(reader, `${kind.toLowerCase()}s`, kind === "Node" ? "" : namespace, name);
  const spec = (object.spec ?? {}) as { serviceAccountName?: string; nodeName?: string };
  if (kind === "Pod" && spec.serviceAccountName !== accountName)
    throw badRequest(
      `cannot bind token for serviceaccount "${accountName}" to pod running with different serviceaccount name.`,
    );
  if (ref.uid && ref.uid !== object.metadata.uid)
    throw conflict(
      { group: "", resource: kind },
      name,
      `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  if (kind === "Node") return { node: claimOf(object) };
  if (kind === "Secret") return { secret: claimOf(object) };
  if (!spec.nodeName) return { pod: claimOf(object) };
  const node = await reader.get({ group: "", resource: "nodes" }, "", spec.nodeName);
  return { node: node === undefined ? { name: spec.nodeName } : claimOf(node), pod: claimOf(object) };
}

async function read(reader: ObjectReader, resource: string, namespace: string, name: string): Promise<ApiObject> {
  const object = await reader.get({ group: "", resource }, namespace, name);
  if (object === undefined) throw notFound({ group: "", resource }, name);
  return object;
}

function claimOf({ metadata: { name = "", uid } }: ApiObject): ObjectClaim {
  return uid === undefined ? { name } : { name, uid };
}
