import { isIP } from "node:net";
import { type ConnectionOptions, createSecureContext } from "node:tls";
import type {
  Connection,
  EgressSelectorConfiguration,
  TLSConfig,
} from "../../api-definitions/apiserver/v1beta1/egress-selector-configuration.ts";
import type { Log } from "../lib/log.ts";
import { EgressMetrics } from "../metrics/egress-metrics.ts";
import { systemAuthorities } from "../outbound/connect-tls.ts";
import type { Egress } from "../outbound/dial.ts";
import {
  ConfigFileError,
  type ConfigFileLoader,
  readConfigText,
  refuseConfigFile,
} from "../schema/load-config-file.ts";
import { canonicalName, checkEgress } from "./check-egress.ts";
import { ConnectProxy, type ConnectProxyOptions } from "./connect-proxy.ts";
import { ProxyRoute } from "./proxy-route.ts";

/** Proxies of outgoing connections. */
export interface LoadedEgress extends Egress {
  readonly families: EgressMetrics["families"];
  /** Closes all connections for requests. The store closes that to etcd. */
  close(): void;
}

/** Loads a file of kind EgressSelectorConfiguration. Throws a ConfigFileError if it is invalid. */
export function loadEgress(file: string, configFiles: ConfigFileLoader, log: Log): LoadedEgress {
  const { object } = configFiles.load<EgressSelectorConfiguration>(file, readConfigText(file), [
    "EgressSelectorConfiguration",
  ]);
  refuseConfigFile(file, checkEgress(object));
  const metrics = new EgressMetrics();
  const proxies = new Map<string, ConnectProxy>();
  for (const { name, connection } of object.egressSelections ?? []) {
    if (name.toLowerCase() === "master")
      log("warn", `${file}: the egress selection "master" is deprecated; name it "controlplane"`);
    const traffic = canonicalName(name);
    if (connection.proxyProtocol === "GRPC")
      throw new ConfigFileError(
        `${file}: egress selection "${traffic}": proxies of protocol GRPC are not supported; use HTTPConnect, which konnectivity-server offers as --mode=http-connect`,
      );
    if (connection.proxyProtocol === "Direct") continue;
    proxies.set(
      traffic,
      within(file, traffic, () => proxyOf(connection, metrics)),
    );
  }
  const routeOf = (traffic: string): ProxyRoute | undefined => {
    const proxy = proxies.get(traffic);
    return proxy && new ProxyRoute(proxy);
  };
  const [controlplane, cluster] = [routeOf("controlplane"), routeOf("cluster")];
  return {
    controlplane,
    cluster,
    etcd: proxies.get("etcd"),
    families: metrics.families,
    close() {
      controlplane?.close();
      cluster?.close();
    },
  };
}

function proxyOf({ transport }: Connection, metrics: EgressMetrics): ConnectProxy {
  const udsName = transport?.uds?.udsName;
  const kind = udsName === undefined ? "tcp" : "uds";
  const where: Pick<ConnectProxyOptions, "address" | "name" | "tls"> =
    udsName === undefined
      ? tcpProxy(transport?.tcp?.url ?? "", transport?.tcp?.tlsConfig)
      : { address: { path: udsName }, name: udsName };
  return new ConnectProxy({
    ...where,
    observer: {
      started: () => metrics.started("http_connect", kind),
      failed: (stage) => metrics.failed(stage, "http_connect", kind),
      connected: (milliseconds) => metrics.connected(milliseconds, "http_connect", kind),
    },
    monotonic: () => performance.now(),
  });
}

function tcpProxy(text: string, tls: TLSConfig | undefined): Pick<ConnectProxyOptions, "address" | "name" | "tls"> {
  if (!URL.canParse(text)) throw new Error(`invalid proxy server url "${text}"`);
  const url = new URL(text);
  const isSecure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port || (isSecure ? 443 : 80));
  return {
    address: { host, port },
    name: `${url.hostname}:${port}`,
    ...(isSecure && { tls: { ...securityOf(tls ?? {}), host, ...(isIP(host) === 0 && { servername: host }) } }),
  };
}

/** Loads the TLS settings. As in Kubernetes, the files are read only once. */
function securityOf({ caBundle = "", clientCert = "", clientKey = "" }: TLSConfig): ConnectionOptions {
  const ca = caBundle === "" ? [...systemAuthorities()] : readConfigText(caBundle);
  if (caBundle !== "" && !ca.includes("-----BEGIN CERTIFICATE-----"))
    throw new Error(`${caBundle}: failed to append CA cert to the cert pool`);
  const [cert, key] = [readConfigText(clientCert), readConfigText(clientKey)];
  try {
    return { secureContext: createSecureContext({ ca, cert, key, allowPartialTrustChain: true }) };
  } catch (error) {
    throw new Error(`failed to read key pair ${clientCert} & ${clientKey}, got ${(error as Error).message}`);
  }
}

function within<T>(file: string, traffic: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new ConfigFileError(
      `${file}: failed to create dialer for egressSelection "${traffic}": ${(error as Error).message}`,
      { cause: error },
    );
  }
}
