import { FLAGS } from "../flags/sections.ts";

/**
 * Flags of kube-apiserver 1.33 that this server does not implement: they tune, watch or limit parts that work differently here. The program
 * `kube-apiserver` accepts them with a warning, so that suites which set them can run.
 */
const SWITCHES = [
  "contention-profiling",
  "emulation-forward-compatible",
  "enable-logs-handler",
  "log-json-split-stream",
  "log-text-split-stream",
  "permit-address-sharing",
  "runtime-config-emulation-forward-compatible",
  "shutdown-send-retry-after",
  "watch-cache",
];

const VALUES = [
  "admission-control",
  "allow-metric-labels",
  "allow-metric-labels-manifest",
  "apiserver-count",
  "debug-socket-path",
  "default-watch-cache-size",
  "emulated-version",
  "etcd-count-metric-poll-period",
  "etcd-db-metric-poll-interval",
  "etcd-healthcheck-timeout",
  "etcd-readycheck-timeout",
  "etcd-servers-overrides",
  "kubelet-certificate-authority",
  "kubelet-client-certificate",
  "kubelet-client-key",
  "kubelet-port",
  "kubelet-preferred-address-types",
  "kubelet-read-only-port",
  "kubelet-timeout",
  "lease-reuse-duration-seconds",
  "log-flush-frequency",
  "log-json-info-buffer-size",
  "log-text-info-buffer-size",
  "max-connection-bytes-per-sec",
  "peer-advertise-ip",
  "peer-advertise-port",
  "peer-ca-file",
  "shutdown-watch-termination-grace-period",
  "storage-backend",
  "storage-initialization-timeout",
  "storage-media-type",
  "vmodule",
  "watch-cache-sizes",
];

/** Flags for which kube-apiserver 1.33 logs a deprecation, with its messages. */
const DEPRECATED = new Map([
  [
    "admission-control",
    "Use --enable-admission-plugins or --disable-admission-plugins instead. Will be removed in a future version.",
  ],
  ["apiserver-count", "apiserver-count is deprecated and will be removed in a future version."],
  [
    "default-watch-cache-size",
    "watch caches are sized automatically and this flag will be removed in a future version",
  ],
  ["enable-logs-handler", "Log handler functionality is deprecated"],
  ["kubelet-port", "kubelet-port is deprecated and will be removed."],
  ["kubelet-read-only-port", "kubelet-read-only-port is deprecated and will be removed."],
]);

/** Flags that would be dangerous to ignore. */
const UNSUPPORTED = new Map([
  ["service-account-signing-endpoint", "external signers of tokens are not supported"],
  ["tls-sni-cert-key", "only one serving certificate is supported: --tls-cert-file"],
]);

const known = new Set(FLAGS.map(({ name }) => name));

export const FLAGS_WITHOUT_EFFECT = [
  ...SWITCHES.map((name) => ({ name, isSwitch: true })),
  ...VALUES.map((name) => ({ name, isSwitch: false })),
]
  .filter(({ name }) => !known.has(name))
  .map((flag) => ({ ...flag, deprecated: DEPRECATED.get(flag.name) }));

/** Why a flag of kube-apiserver is not one of `typeplane serve`; undefined for other names. */
export function whyAbsent(name: string): string | undefined {
  const why = UNSUPPORTED.get(name);
  if (why !== undefined) return `--${name}: ${why}`;
  const isUnused = FLAGS_WITHOUT_EFFECT.some((flag) => flag.name === name);
  return isUnused ? `--${name}: this flag of kube-apiserver has no effect here: remove it` : undefined;
}
