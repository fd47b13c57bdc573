/** Where a connection to a node, a pod or a service leads. */
export interface ConnectionTarget {
  readonly scheme: "http" | "https";
  /** Host name or IP address, which the certificate of the server must be for. */
  readonly host: string;
  /** The address to connect to, if it was looked up and checked before. */
  readonly address?: string;
  readonly port: number;
  /** Decoded. */
  readonly path: string;
  /** Without `?`. */
  readonly query: string;
  /**
   * `kubelet` presents the client certificate of --kubelet-client-certificate and verifies the certificate of the kubelet; `unverified`
   * does not verify it; `proxy` presents and verifies nothing, as for servers that run in pods.
   */
  readonly trust: "kubelet" | "unverified" | "proxy";
}

/** How kubelets are found. */
export interface NodeSettings {
  /** Types of node addresses, the preferred one first. */
  readonly addressTypes: readonly string[];
  /** The port of kubelets that do not report one. */
  readonly port: number;
}
