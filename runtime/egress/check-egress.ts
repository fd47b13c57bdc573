import { existsSync } from "node:fs";
import type {
  Connection,
  EgressSelectorConfiguration,
  TCPTransport,
  TLSConfig,
  Transport,
  UDSTransport,
} from "../../api-definitions/apiserver/v1beta1/egress-selector-configuration.ts";
import type { FieldError } from "../contract/field-error.ts";
import { goQuote } from "../go/quote.ts";
import { Verbatim } from "../go/verbatim.ts";
import { duplicateField, invalidField, requiredField, unsupportedField } from "../values/field-errors.ts";

/** Kubernetes reports this path for every selection. */
const PATH = "service.connection";
const PROTOCOLS = ["Direct", "HTTPConnect", "GRPC"];
const NAMES = ["cluster", "controlplane", "etcd"];

/** Returns the traffic type of a selection. `master` is the former name of `controlplane`. */
export function canonicalName(name: string): string {
  const lower = name.toLowerCase();
  return lower === "master" ? "controlplane" : lower;
}

/** Validates an EgressSelectorConfiguration, with the messages of Kubernetes. */
export function checkEgress({ egressSelections }: EgressSelectorConfiguration): FieldError[] {
  const problems = (egressSelections ?? []).flatMap(({ connection }) => checkConnection(connection));
  const seen = new Set<string>();
  for (const [index, { name }] of (egressSelections ?? []).entries()) {
    const canonical = canonicalName(name);
    if (seen.has(canonical)) problems.push(duplicateField(`${PATH}[${index}]`, canonical));
    else if (!NAMES.includes(canonical)) problems.push(unsupportedField(PATH, canonical, NAMES));
    seen.add(canonical);
  }
  return problems;
}

function checkConnection({ proxyProtocol = "", transport }: Connection): FieldError[] {
  switch (proxyProtocol) {
    case "Direct":
      return isAbsent(transport)
        ? []
        : [invalidField(`${PATH}.transport`, "direct", "Transport config should be absent for direct connect")];
    case "HTTPConnect":
      return checkHttpConnect(transport);
    case "GRPC":
      return checkGrpc(transport);
    default:
      return [unsupportedField(`${PATH}.protocol`, proxyProtocol, PROTOCOLS)];
  }
}

function checkHttpConnect(transport: Transport | undefined): FieldError[] {
  if (isAbsent(transport)) return [requiredField(`${PATH}.transport`, "transport must be set for HTTPConnect")];
  const { tcp, uds } = transport;
  if (!isAbsent(tcp)) {
    if (isAbsent(uds)) return checkTcp(tcp);
    const shown = new Verbatim(`apiserver.TCPTransport{URL:${goQuote(tcp.url ?? "")}}`);
    return [invalidField(`${PATH}.tcp`, shown, "TCP and UDS cannot both be set")];
  }
  return isAbsent(uds) ? [requiredField(`${PATH}.tcp`, "One of TCP or UDS must be set")] : checkUds(uds);
}

function checkGrpc(transport: Transport | undefined): FieldError[] {
  if (isAbsent(transport)) return [requiredField(`${PATH}.transport`, "transport must be set for GRPC")];
  if (isAbsent(transport.uds)) return [requiredField(`${PATH}.uds`, "UDS must be set with GRPC")];
  return checkUds(transport.uds);
}

function checkUds({ udsName = "" }: UDSTransport): FieldError[] {
  if (udsName !== "") return [];
  return [invalidField(`${PATH}.udsName`, "nil", "UDSName should be present for UDS connections")];
}

function checkTcp({ url = "", tlsConfig }: TCPTransport): FieldError[] {
  if (url.startsWith("https://")) return checkTls(tlsConfig);
  if (!url.startsWith("http://"))
    return [invalidField(`${PATH}.url`, url, "supported connection protocols are http:// and https://")];
  if (isAbsent(tlsConfig)) return [];
  return [invalidField(`${PATH}.tlsConfig`, "nil", "TLSConfig config should not be present when using HTTP")];
}

function checkTls(tls: TLSConfig | undefined): FieldError[] {
  if (isAbsent(tls)) return [requiredField(`${PATH}.tlsConfig`, "TLSConfig must be present when using HTTPS")];
  const { caBundle = "", clientCert = "", clientKey = "" } = tls;
  const path = `${PATH}.tlsConfig`;
  const missing = (field: string, file: string, detail: string) =>
    existsSync(file) ? [] : [invalidField(`${path}.${field}`, file, detail)];
  return [
    ...(caBundle === "" ? [] : missing("caBundle", caBundle, "TLS config ca bundle does not exist")),
    ...(clientCert === ""
      ? [invalidField(`${path}.clientCert`, "nil", "Using TLS requires clientCert")]
      : missing("clientCert", clientCert, "TLS client cert does not exist")),
    ...(clientKey === ""
      ? [invalidField(`${path}.clientKey`, "nil", "Using TLS requires requires clientKey")]
      : missing("clientKey", clientKey, "TLS client key does not exist")),
  ];
}

/** Whether a field is absent; `null` is equivalent to absent. */
function isAbsent<T>(value: T | null | undefined): value is null | undefined {
  return value === undefined || value === null;
}
