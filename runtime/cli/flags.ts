/** One flag of the command line. Names are those of kube-apiserver wherever they mean the same. */
export interface Flag {
  readonly name: string;
  /** Lists are split at commas and may be repeated; the values of an `array` are taken whole, each from a flag of its own. */
  readonly type: "string" | "boolean" | "number" | "fraction" | "list" | "array" | "duration";
  /** Sentences for `--help` and docs/flags.md: what the flag does, its unit, what 0 or an empty value means. */
  readonly help: string;
  readonly default?: string;
}

/** Flags of one subject, under a heading in `--help` and in docs/flags.md. */
export interface FlagSection {
  readonly title: string;
  readonly flags: readonly Flag[];
}

export const FLAG_SECTIONS: readonly FlagSection[] = [
  {
    title: "Server",
    flags: [
      {
        name: "bind-address",
        type: "string",
        default: "127.0.0.1",
        help: "IP address to listen on. 0.0.0.0 and :: listen on all interfaces.",
      },
      {
        name: "secure-port",
        type: "number",
        default: "6443",
        help: "Port to listen on, over TLS. 0 chooses a free port.",
      },
      {
        name: "cert-dir",
        type: "string",
        default: ".typeplane/pki",
        help: "Directory of the CA, certificates and keys. Those that are missing are created at the first start.",
      },
      {
        name: "kubeconfig-out",
        type: "string",
        default: ".typeplane/kubeconfig",
        help: "File that the administrator's kubeconfig is written to.",
      },
      {
        name: "advertise-address",
        type: "string",
        help: "IP address that is published as the endpoint of the kubernetes Service. Defaults to --bind-address; nothing is published if that is a loopback address.",
      },
      {
        name: "endpoint-reconciler-type",
        type: "string",
        default: "lease",
        help: "How --advertise-address is published: lease removes the address of a server that stops or is lost, none publishes no address.",
      },
      {
        name: "external-hostname",
        type: "string",
        help: "Host name of this server in the URLs that it publishes. Defaults to --advertise-address.",
      },
      {
        name: "controllers",
        type: "boolean",
        default: "true",
        help: "Run the built-in controllers: namespace deletion, contents of new namespaces, garbage collection, cluster role aggregation, quota usage. Set it to false when a kube-controller-manager runs.",
      },
      {
        name: "livez-grace-period",
        type: "duration",
        default: "0s",
        help: "How long after the start /livez ignores start-up checks that have not finished. 0 means not at all.",
      },
      {
        name: "shutdown-delay-duration",
        type: "duration",
        default: "0s",
        help: "How long the server keeps serving after SIGTERM, while /readyz already fails, so that load balancers notice. 0 stops at once.",
      },
    ],
  },
  {
    title: "Storage",
    flags: [
      {
        name: "data-dir",
        type: "string",
        default: ".typeplane/data",
        help: 'Directory of the embedded store. "memory" keeps objects in memory only; they are lost when the server stops.',
      },
      {
        name: "etcd-servers",
        type: "list",
        help: "Addresses of an etcd cluster that stores the objects, instead of --data-dir: https://127.0.0.1:2379.",
      },
      { name: "etcd-prefix", type: "string", default: "/registry", help: "Prefix of all keys in etcd." },
      { name: "etcd-cafile", type: "string", help: "CA of the etcd servers." },
      { name: "etcd-certfile", type: "string", help: "Client certificate for etcd. Requires --etcd-keyfile." },
      { name: "etcd-keyfile", type: "string", help: "Private key of --etcd-certfile." },
      {
        name: "etcd-compaction-interval",
        type: "duration",
        default: "5m0s",
        help: "How long old revisions of objects can still be read and watched, in etcd and in --data-dir. 0 keeps them forever.",
      },
      {
        name: "encryption-provider-config",
        type: "string",
        help: "File of kind EncryptionConfiguration: which resources are encrypted in the store, with which providers and keys.",
      },
      {
        name: "encryption-provider-config-automatic-reload",
        type: "boolean",
        default: "false",
        help: "Reload --encryption-provider-config when the file changes.",
      },
      { name: "event-ttl", type: "duration", default: "1h0m0s", help: "How long Events are kept." },
      {
        name: "delete-collection-workers",
        type: "number",
        default: "8",
        help: "Number of objects that one deletecollection request deletes at the same time.",
      },
      {
        name: "enable-garbage-collector",
        type: "boolean",
        default: "true",
        help: "Delete dependents after their owners, and support foreground deletion and orphaning. Must be the same in the kube-controller-manager.",
      },
    ],
  },
  {
    title: "TLS and HTTP",
    flags: [
      {
        name: "tls-cert-file",
        type: "string",
        help: "Serving certificate, instead of the one generated in --cert-dir. Requires --tls-private-key-file.",
      },
      { name: "tls-private-key-file", type: "string", help: "Private key of --tls-cert-file." },
      {
        name: "tls-min-version",
        type: "string",
        default: "VersionTLS12",
        help: "Minimum TLS version: VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13.",
      },
      {
        name: "tls-cipher-suites",
        type: "list",
        help: "Cipher suites, by the names that Go gives them. Defaults to those of Node.js.",
      },
      { name: "disable-http2-serving", type: "boolean", default: "false", help: "Serve HTTP/1.1 only." },
      {
        name: "http2-max-streams-per-connection",
        type: "number",
        default: "100",
        help: "Maximum number of concurrent requests on one HTTP/2 connection. 0 means the default.",
      },
      {
        name: "goaway-chance",
        type: "fraction",
        default: "0",
        help: "Fraction of requests after which an HTTP/2 connection is closed gracefully (GOAWAY), so that clients spread over several servers. From 0 (never) to 0.02.",
      },
      {
        name: "permit-port-sharing",
        type: "boolean",
        default: "false",
        help: "Let several servers listen on the same port (SO_REUSEPORT).",
      },
      {
        name: "strict-transport-security-directives",
        type: "list",
        help: "Directives of the Strict-Transport-Security header, which is then sent with every response.",
      },
      {
        name: "cors-allowed-origins",
        type: "list",
        help: "Allowed CORS origins, as regular expressions that match a whole host name: //example\\.com(:|$). Empty disables CORS.",
      },
    ],
  },
  {
    title: "Authentication",
    flags: [
      {
        name: "client-ca-file",
        type: "string",
        help: "CA of client certificates, instead of the CA in --cert-dir, which signs the certificate in --kubeconfig-out.",
      },
      {
        name: "token-auth-file",
        type: "string",
        help: 'File of static bearer tokens. Each line is token,user,uid,"group,group".',
      },
      {
        name: "anonymous-auth",
        type: "boolean",
        default: "true",
        help: "Serve requests without credentials as user system:anonymous. If false, they get 401.",
      },
      {
        name: "api-audiences",
        type: "list",
        help: "Audiences of this server: tokens must be issued for one of them. Defaults to --service-account-issuer.",
      },
      {
        name: "authentication-config",
        type: "string",
        help: "File of kind AuthenticationConfiguration: JWT issuers and anonymous requests. Reloaded when it changes. Excludes --oidc-*.",
      },
      {
        name: "oidc-issuer-url",
        type: "string",
        help: "URL of an OpenID Connect issuer whose ID tokens are accepted. https only.",
      },
      { name: "oidc-client-id", type: "string", help: "Audience that the ID tokens must be issued for." },
      { name: "oidc-ca-file", type: "string", help: "CA of the issuer. Defaults to the CAs that the system trusts." },
      { name: "oidc-username-claim", type: "string", default: "sub", help: "Claim that is the user name." },
      {
        name: "oidc-username-prefix",
        type: "string",
        help: `Prefix of user names; "-" means none. Defaults to the issuer's URL and "#", or to none if the claim is email.`,
      },
      { name: "oidc-groups-claim", type: "string", help: "Claim that holds the user's groups. Unset means no groups." },
      { name: "oidc-groups-prefix", type: "string", help: "Prefix of group names." },
      {
        name: "oidc-required-claim",
        type: "string",
        help: "claim=value that an ID token must contain. May be repeated.",
      },
      { name: "oidc-signing-algs", type: "list", default: "RS256", help: "Accepted signature algorithms." },
      {
        name: "authentication-token-webhook-config-file",
        type: "string",
        help: "kubeconfig of a webhook that authenticates bearer tokens (TokenReview).",
      },
      {
        name: "authentication-token-webhook-version",
        type: "string",
        default: "v1beta1",
        help: "API version of the TokenReviews that are sent: v1 or v1beta1.",
      },
      {
        name: "authentication-token-webhook-cache-ttl",
        type: "duration",
        default: "2m0s",
        help: "How long successful responses of the token webhook are cached.",
      },
      {
        name: "requestheader-client-ca-file",
        type: "string",
        help: "CA of front proxies. Requests with a client certificate of this CA are authenticated by their --requestheader-* headers.",
      },
      {
        name: "requestheader-allowed-names",
        type: "list",
        help: "Common names of client certificates that may use these headers. Empty allows every certificate of --requestheader-client-ca-file.",
      },
      {
        name: "requestheader-username-headers",
        type: "list",
        help: "Headers with the user name, such as X-Remote-User. The first one that is set is used.",
      },
      {
        name: "requestheader-uid-headers",
        type: "list",
        help: "Headers with the user's UID. Must include X-Remote-Uid if set.",
      },
      {
        name: "requestheader-group-headers",
        type: "list",
        help: "Headers with the user's groups, such as X-Remote-Group.",
      },
      {
        name: "requestheader-extra-headers-prefix",
        type: "list",
        help: "Prefixes of headers with extra attributes of the user, such as X-Remote-Extra-.",
      },
    ],
  },
  {
    title: "Service accounts",
    flags: [
      {
        name: "service-account-issuer",
        type: "array",
        default: "https://kubernetes.default.svc",
        help: "Issuer of service account tokens. May be repeated: the first one issues tokens, all of them are accepted.",
      },
      {
        name: "service-account-signing-key-file",
        type: "string",
        help: "Private key that signs service account tokens, instead of the one generated in --cert-dir.",
      },
      {
        name: "service-account-key-file",
        type: "array",
        help: "File of public or private keys that verify service account tokens, besides the signing key. May be repeated.",
      },
      {
        name: "service-account-max-token-expiration",
        type: "duration",
        default: "0s",
        help: "Maximum lifetime of service account tokens, at least 1h. 0 means no limit.",
      },
      {
        name: "service-account-extend-token-expiration",
        type: "boolean",
        default: "true",
        help: "Issue tokens that are mounted into pods for a year, although clients are told to refresh them after an hour.",
      },
      {
        name: "service-account-lookup",
        type: "boolean",
        default: "true",
        help: "Accept a token from a Secret only while the Secret and the ServiceAccount exist.",
      },
      {
        name: "service-account-jwks-uri",
        type: "string",
        help: "URL of the public keys in the OpenID discovery document, https only. Defaults to this server's own.",
      },
    ],
  },
  {
    title: "Authorization",
    flags: [
      {
        name: "authorization-mode",
        type: "list",
        default: "RBAC",
        help: "Authorizers, in the order in which they are called: Node, RBAC, Webhook, AlwaysAllow, AlwaysDeny.",
      },
      {
        name: "authorization-config",
        type: "string",
        help: "File of kind AuthorizationConfiguration, instead of --authorization-mode and --authorization-webhook-*. Reloaded when it changes.",
      },
      { name: "authorization-webhook-config-file", type: "string", help: "kubeconfig of the webhook of mode Webhook." },
      {
        name: "authorization-webhook-version",
        type: "string",
        default: "v1beta1",
        help: "API version of the SubjectAccessReviews that are sent: v1 or v1beta1.",
      },
      {
        name: "authorization-webhook-cache-authorized-ttl",
        type: "duration",
        default: "5m0s",
        help: 'How long "allowed" responses of the authorization webhook are cached.',
      },
      {
        name: "authorization-webhook-cache-unauthorized-ttl",
        type: "duration",
        default: "30s",
        help: "How long all other responses of the authorization webhook are cached.",
      },
    ],
  },
  {
    title: "Admission",
    flags: [
      { name: "enable-admission-plugins", type: "list", help: "Admission plugins to enable besides the default ones." },
      { name: "disable-admission-plugins", type: "list", help: "Default admission plugins to disable." },
      {
        name: "admission-control-config-file",
        type: "string",
        help: "File of kind AdmissionConfiguration: configuration of the admission plugins.",
      },
      {
        name: "allow-privileged",
        type: "boolean",
        default: "true",
        help: "Allow privileged containers. The default of kube-apiserver is false.",
      },
      {
        name: "default-not-ready-toleration-seconds",
        type: "number",
        default: "300",
        help: "Seconds that a pod tolerates a node that is not ready, unless the pod sets a toleration itself (DefaultTolerationSeconds).",
      },
      {
        name: "default-unreachable-toleration-seconds",
        type: "number",
        default: "300",
        help: "Seconds that a pod tolerates an unreachable node, unless the pod sets a toleration itself (DefaultTolerationSeconds).",
      },
    ],
  },
  {
    title: "API versions and features",
    flags: [
      {
        name: "release",
        type: "string",
        help: "Release whose API is served, past or future: 1.21. A release of the project if it has its own (typeplane.config.ts), of Kubernetes otherwise. Defaults to the current release.",
      },
      {
        name: "runtime-config",
        type: "list",
        help: "API versions to enable or disable: batch/v1=false,api/beta=true.",
      },
      { name: "feature-gates", type: "list", help: "Feature gates to enable or disable: Name=true,Name=false." },
      {
        name: "show-hidden-metrics-for-version",
        type: "string",
        help: "Previous release whose deprecated metrics are still shown although this release hides them.",
      },
    ],
  },
  {
    title: "Aggregation",
    flags: [
      {
        name: "proxy-client-cert-file",
        type: "string",
        help: "Client certificate for requests to extension API servers, instead of the one generated in --cert-dir. Reloaded when it changes.",
      },
      { name: "proxy-client-key-file", type: "string", help: "Private key of --proxy-client-cert-file." },
      {
        name: "enable-aggregator-routing",
        type: "boolean",
        default: "false",
        help: "Send requests for an APIService to an endpoint of its Service instead of the cluster IP.",
      },
      {
        name: "aggregator-reject-forwarding-redirect",
        type: "boolean",
        default: "true",
        help: "Reject redirects of extension API servers instead of passing them to the client.",
      },
    ],
  },
  {
    title: "Services",
    flags: [
      {
        name: "service-cluster-ip-range",
        type: "string",
        default: "10.0.0.0/24",
        help: "CIDR of the cluster IPs of Services. Two, separated by a comma, for dual stack.",
      },
      {
        name: "service-node-port-range",
        type: "string",
        default: "30000-32767",
        help: "Port range of Services of type NodePort.",
      },
      {
        name: "kubernetes-service-node-port",
        type: "number",
        default: "0",
        help: "Node port of the kubernetes Service. 0 makes it a Service of type ClusterIP.",
      },
    ],
  },
  {
    title: "Audit",
    flags: [
      {
        name: "audit-policy-file",
        type: "string",
        help: "File of kind Policy: which requests are audited, at which level. Without it nothing is audited.",
      },
      {
        name: "audit-log-path",
        type: "string",
        help: 'File that audit events are written to; "-" means standard output.',
      },
      {
        name: "audit-log-format",
        type: "string",
        default: "json",
        help: "Format of the audit log: json (one event per line) or legacy (text).",
      },
      {
        name: "audit-log-mode",
        type: "string",
        default: "blocking",
        help: "batch (requests do not wait for the log), blocking (requests wait) or blocking-strict (requests that cannot be logged when they arrive fail).",
      },
      {
        name: "audit-log-maxsize",
        type: "number",
        default: "100",
        help: "Size in megabytes at which the audit log is rotated. 0 means 100.",
      },
      {
        name: "audit-log-maxbackup",
        type: "number",
        default: "0",
        help: "Maximum number of rotated audit logs. 0 keeps all.",
      },
      {
        name: "audit-log-maxage",
        type: "number",
        default: "0",
        help: "Maximum age of rotated audit logs in days. 0 keeps all.",
      },
      { name: "audit-log-compress", type: "boolean", default: "false", help: "Compress rotated audit logs with gzip." },
      {
        name: "audit-webhook-config-file",
        type: "string",
        help: "kubeconfig of a webhook that audit events are sent to.",
      },
      {
        name: "audit-webhook-mode",
        type: "string",
        default: "batch",
        help: "batch (requests do not wait for the webhook), blocking (requests wait) or blocking-strict (requests whose first event cannot be sent fail).",
      },
      {
        name: "audit-webhook-initial-backoff",
        type: "duration",
        default: "10s",
        help: "Delay before the first retry of a failed request to the webhook.",
      },
      {
        name: "audit-webhook-batch-buffer-size",
        type: "number",
        default: "10000",
        help: "Maximum number of events that wait to be sent. Events beyond it are dropped and counted. Mode batch only.",
      },
      {
        name: "audit-webhook-batch-max-size",
        type: "number",
        default: "400",
        help: "Maximum number of events in one batch. Mode batch only.",
      },
      {
        name: "audit-webhook-batch-max-wait",
        type: "duration",
        default: "30s",
        help: "Maximum time until an incomplete batch is sent. Mode batch only.",
      },
      {
        name: "audit-webhook-batch-throttle-enable",
        type: "boolean",
        default: "true",
        help: "Limit the rate of batches. Mode batch only.",
      },
      {
        name: "audit-webhook-batch-throttle-qps",
        type: "number",
        default: "10",
        help: "Maximum number of batches per second.",
      },
      {
        name: "audit-webhook-batch-throttle-burst",
        type: "number",
        default: "15",
        help: "Maximum number of batches that are sent at once after a pause.",
      },
    ],
  },
  {
    title: "Limits",
    flags: [
      {
        name: "max-requests-inflight",
        type: "number",
        default: "400",
        help: "Maximum number of read requests that are handled at the same time; more get 429. 0 means no limit.",
      },
      {
        name: "max-mutating-requests-inflight",
        type: "number",
        default: "200",
        help: "Maximum number of write requests that are handled at the same time, counted once the body has arrived; more get 429. 0 means no limit.",
      },
      {
        name: "request-timeout",
        type: "duration",
        default: "1m0s",
        help: "Maximum duration of a request, including its body and its response. Watches and other long-running requests are not limited. 0 means no limit.",
      },
      {
        name: "min-request-timeout",
        type: "number",
        default: "1800",
        help: "Minimum duration of a watch in seconds, unless the client sets timeoutSeconds. Each watch gets a random duration of up to twice this value.",
      },
      {
        name: "max-longrunning-requests-per-user",
        type: "number",
        default: "5000",
        help: "Maximum number of open watches, logs and upgraded connections of one user; the service accounts of a namespace count as one user. 0 means no limit.",
      },
      {
        name: "max-longrunning-requests",
        type: "number",
        default: "20000",
        help: "Maximum number of open watches, logs and upgraded connections of all users. Nodes and system components may exceed it. 0 means no limit.",
      },
      {
        name: "max-request-body-bytes-per-user",
        type: "number",
        default: "134217728",
        help: "Maximum bytes of incomplete request bodies of one user; more get 429. 0 means no limit.",
      },
      {
        name: "max-request-body-bytes",
        type: "number",
        default: "536870912",
        help: "Maximum bytes of incomplete request bodies of all users; more get 429. 0 means no limit.",
      },
      {
        name: "max-response-bytes-per-user",
        type: "number",
        default: "268435456",
        help: "Maximum bytes of large responses and watch events that one user has not read yet. 0 means no limit.",
      },
      {
        name: "max-response-bytes",
        type: "number",
        default: "1073741824",
        help: "Maximum bytes of large responses and watch events that all users have not read yet. 0 means no limit.",
      },
      {
        name: "watch-backlog-bytes",
        type: "number",
        default: "134217728",
        help: "Maximum bytes of events that wait to be sent to watches. Beyond it the watches whose clients have not read for the longest time end. 0 means no limit.",
      },
      {
        name: "max-connections",
        type: "number",
        default: "0",
        help: "Maximum number of open connections. Beyond it idle connections are closed. 0 means four fifths of the process's limit of open files, at most 16384.",
      },
      {
        name: "max-tls-handshakes",
        type: "number",
        default: "500",
        help: "Maximum number of unfinished TLS handshakes. Beyond it the oldest is closed. 0 means no limit.",
      },
      {
        name: "tls-handshake-timeout",
        type: "duration",
        default: "10s",
        help: "Maximum duration of a TLS handshake. 0 means no limit.",
      },
      {
        name: "read-header-timeout",
        type: "duration",
        default: "32s",
        help: "Maximum time until the headers of a request, or the first request of a connection, have arrived. 0 means no limit.",
      },
      {
        name: "read-request-timeout",
        type: "duration",
        default: "5m0s",
        help: "Maximum time until a whole request has arrived, including its body. 0 means no limit.",
      },
      {
        name: "idle-connection-timeout",
        type: "duration",
        default: "1m30s",
        help: "How long a connection without a request is kept open. 0 means forever.",
      },
      {
        name: "response-progress-timeout",
        type: "duration",
        default: "1m0s",
        help: "How long a response waits for a client that reads nothing of it. 0 means forever.",
      },
    ],
  },
];

/** Every flag, in the order of `--help`. */
export const FLAGS: readonly Flag[] = FLAG_SECTIONS.flatMap(({ flags }) => flags);
