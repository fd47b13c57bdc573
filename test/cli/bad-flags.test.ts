import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";
import { FLAGS } from "../../runtime/cli/flags/sections.ts";
import { parseFlags, readConfig } from "../../runtime/cli/read-config.ts";
import { serve } from "../../runtime/cli/serve.ts";
import { readSettings } from "../../runtime/server/read-settings.ts";
import { createAuthority } from "../fixtures/certificates.ts";

/** Flags that accept any string: paths, names, and vocabulary of other programs. */
const FREE = new Set([
  "data-dir",
  "cert-dir",
  "kubeconfig-out",
  "etcd-prefix",
  "external-hostname",
  "disabled-metrics",
  "api-audiences",
  "oidc-client-id",
  "oidc-username-claim",
  "oidc-username-prefix",
  "oidc-groups-claim",
  "oidc-groups-prefix",
  "audit-log-path",
  "requestheader-allowed-names",
  "requestheader-username-headers",
  "requestheader-group-headers",
  "requestheader-extra-headers-prefix",
]);

const files = mkdtempSync(join(tmpdir(), "typeplane-files-"));
afterAll(() => rmSync(files, { recursive: true, force: true }));

const file = (name: string, text: string): string => {
  const path = join(files, name);
  writeFileSync(path, text);
  return path;
};
const text = file("text", "no key, no certificate\n");
const broken = file("broken.yaml", "hello: [\n");
const other = file("other.yaml", "apiVersion: v1\nkind: ConfigMap\n");
const policy = file("policy.yaml", "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n");
const shortTokens = file("tokens.csv", "token,user\n");
const batched = ["--audit-log-path=-", "--audit-log-mode=batch"];
const toWebhook = "--audit-webhook-config-file=/nowhere";
const oidc = ["--oidc-issuer-url=https://issuer.invalid", "--oidc-client-id=us"];

/** For each other flag, an invalid value and the error message. */
const BAD: Readonly<Record<string, readonly (readonly [args: string | readonly string[], words: string])[]>> = {
  "bind-address": [["--bind-address=nowhere", "--bind-address=nowhere: not an IP address"]],
  "secure-port": [["--secure-port=70000", "--secure-port 70000 must be between 0 and 65535, inclusive"]],
  disturb: [
    ["--disturb=chaos", '--disturb: "chaos" is not a disturbance: write seed, stale, late'],
    ["--disturb=seed=x", "--disturb: seed=x: write a number from 0 to 4294967295"],
    [["--disturb=seed=1", "--bind-address=::"], "it needs a loopback address instead of --bind-address=::"],
  ],
  "tls-cert-file": [
    [[`--tls-cert-file=${text}`, `--tls-private-key-file=${text}`], "--tls-cert-file, --tls-private-key-file: "],
  ],
  "tls-private-key-file": [[[`--tls-private-key-file=${text}`], "must be specified together"]],
  "tls-min-version": [["--tls-min-version=1", "write one of VersionTLS10"]],
  "tls-cipher-suites": [["--tls-cipher-suites=SOME", "Cipher suite SOME not supported"]],
  "cors-allowed-origins": [["--cors-allowed-origins=(", "is not a regular expression"]],
  "change-log-dir": [
    [["--change-log-dir=log", "--data-dir=memory"], "use it without --etcd-servers and --data-dir=memory"],
    [["--change-log-dir=log", "--etcd-servers=127.0.0.1:1"], "use it without --etcd-servers and --data-dir=memory"],
  ],
  "change-log-max-size": [["--change-log-max-size=0", "write 1 or more"]],
  "goaway-chance": [["--goaway-chance=1", "write a number from 0 to 0.02"]],
  "client-ca-file": [
    ["--client-ca-file=/nowhere", "--client-ca-file=/nowhere: ENOENT"],
    [`--client-ca-file=${text}`, "there is no certificate in it"],
  ],
  "requestheader-client-ca-file": [
    ["--requestheader-client-ca-file=/nowhere", "--requestheader-client-ca-file=/nowhere: ENOENT"],
    [`--requestheader-client-ca-file=${text}`, "there is no certificate in it"],
  ],
  "requestheader-uid-headers": [
    ["--requestheader-uid-headers=X-Uid", "without specifying the standard X-Remote-Uid header"],
    [
      [
        "--feature-gates=RemoteRequestHeaderUID=false",
        "--requestheader-uid-headers=X-Remote-Uid",
        `--requestheader-client-ca-file=${file("proxies.pem", createAuthority().authority)}`,
      ],
      '--requestheader-uid-headers requires the "RemoteRequestHeaderUID" feature to be enabled',
    ],
  ],
  "kubelet-client-certificate": [
    [
      [`--kubelet-client-certificate=${text}`, `--kubelet-client-key=${text}`],
      "--kubelet-client-certificate, --kubelet-client-key: ",
    ],
  ],
  "kubelet-client-key": [[[`--kubelet-client-key=${text}`], "must be specified together"]],
  "kubelet-certificate-authority": [["--kubelet-certificate-authority=/nowhere", "ENOENT"]],
  "kubelet-preferred-address-types": [
    ["--kubelet-preferred-address-types=InternalIP,Nickname", 'unknown address type "Nickname"'],
  ],
  "proxy-client-cert-file": [
    [
      [`--proxy-client-cert-file=${text}`, `--proxy-client-key-file=${text}`],
      "--proxy-client-cert-file, --proxy-client-key-file: ",
    ],
  ],
  "proxy-client-key-file": [
    [[`--proxy-client-key-file=${text}`], "must be specified together"],
    [
      ["--proxy-client-cert-file=/nowhere", `--proxy-client-key-file=${text}`],
      "--proxy-client-cert-file=/nowhere: ENOENT",
    ],
  ],
  "etcd-servers": [
    ["--etcd-servers=nope", "--etcd-servers=nope: write an address such as https://127.0.0.1:2379"],
    ["--etcd-servers=ftp://127.0.0.1:1", "--etcd-servers=ftp://127.0.0.1:1: write an address"],
  ],
  "etcd-cafile": [["--etcd-cafile=/nowhere", "--etcd-cafile=/nowhere: ENOENT"]],
  "etcd-certfile": [
    [`--etcd-certfile=${text}`, "must be specified together"],
    [[`--etcd-certfile=${text}`, `--etcd-keyfile=${text}`], "--etcd-certfile, --etcd-keyfile: "],
  ],
  "etcd-keyfile": [["--etcd-keyfile=/nowhere", "--etcd-keyfile=/nowhere: ENOENT"]],
  "encryption-provider-config": [
    ["--encryption-provider-config=/nowhere", "/nowhere: ENOENT"],
    [`--encryption-provider-config=${broken}`, `${broken}: `],
    [`--encryption-provider-config=${other}`, "v1 ConfigMap cannot be used here"],
  ],
  "token-auth-file": [[`--token-auth-file=${shortTokens}`, "must have at least 3 columns"]],
  "authorization-mode": [
    ["--authorization-mode=Anybody", 'authorization-mode "Anybody" is not a valid mode'],
    ["--authorization-mode=RBAC,RBAC", "specified more than once"],
    ["--authorization-mode=", "at least one authorization-mode must be passed"],
  ],
  "authorization-config": [[`--authorization-config=${other}`, "v1 ConfigMap cannot be used here"]],
  "authorization-policy-file": [
    ["--authorization-policy-file=/nowhere", "cannot specify --authorization-policy-file without mode ABAC"],
    [["--authorization-mode=ABAC"], "authorization-mode ABAC's authorization policy file not passed"],
    [["--authorization-mode=ABAC", "--authorization-policy-file=/nowhere"], "/nowhere: ENOENT"],
  ],
  "authorization-webhook-config-file": [
    [["--authorization-mode=Webhook", `--authorization-webhook-config-file=${broken}`], `${broken}: `],
  ],
  "authorization-webhook-version": [
    ["--authorization-webhook-version=v3", 'unsupported webhook authorizer version "v3"'],
  ],
  "authentication-config": [[`--authentication-config=${broken}`, `${broken}: `]],
  "oidc-issuer-url": [[["--oidc-issuer-url=http://x", "--oidc-client-id=us"], "URL scheme must be https"]],
  "oidc-ca-file": [[[...oidc, `--oidc-ca-file=${text}`], "data does not contain any valid RSA or ECDSA certificates"]],
  "oidc-required-claim": [[[...oidc, "--oidc-required-claim=a"], "write claim=value"]],
  "oidc-signing-algs": [[[...oidc, "--oidc-signing-algs=none"], 'unsupported signing alg: "none"']],
  "authentication-token-webhook-config-file": [[`--authentication-token-webhook-config-file=${broken}`, `${broken}: `]],
  "authentication-token-webhook-version": [
    ["--authentication-token-webhook-version=v3", 'unsupported authentication webhook version "v3"'],
  ],
  "service-account-issuer": [["--service-account-issuer=:x", "was not a valid URL"]],
  "service-account-signing-key-file": [[`--service-account-signing-key-file=${text}`, `${text}: `]],
  "service-account-key-file": [[`--service-account-key-file=${text}`, "there is no key in it"]],
  "service-account-max-token-expiration": [["--service-account-max-token-expiration=1s", "must be between 1 hour"]],
  "service-account-jwks-uri": [["--service-account-jwks-uri=http://x", "requires https scheme"]],
  "logging-format": [["--logging-format=xml", "--logging-format=xml: write text or json"]],
  "advertise-address": [["--advertise-address=here", "--advertise-address=here: not an IP address"]],
  "endpoint-reconciler-type": [["--endpoint-reconciler-type=some", "write one of lease, none"]],
  "kubernetes-service-node-port": [
    ["--kubernetes-service-node-port=70000", "must be between 0 and 65535"],
    ["--kubernetes-service-node-port=80", "kubernetes service node port range 30000-32767 doesn't contain 80"],
  ],
  "service-cluster-ip-range": [
    ["--service-cluster-ip-range=10.0.0.0", "--service-cluster-ip-range=10.0.0.0: invalid CIDR address: 10.0.0.0"],
    ["--service-cluster-ip-range=10.0.0.0/30", "the service cluster IP range must be at least 8 IP addresses"],
    ["--service-cluster-ip-range=10.0.0.0/11", "is too large; for 32-bit addresses, the mask must be >= 12"],
    ["--service-cluster-ip-range=fd00::/107", "is too large; for 128-bit addresses, the mask must be >= 108"],
    [
      "--service-cluster-ip-range=10.0.0.0/24,fd00::/64",
      "specified --service-cluster-ip-range[1] is too large; for 128-bit addresses, the mask must be >= 108",
    ],
    [
      [
        "--service-cluster-ip-range=10.0.0.0/8",
        "--feature-gates=DisableAllocatorDualWrite=true,MultiCIDRServiceAllocator=false",
      ],
      "specified --service-cluster-ip-range is too large",
    ],
    ["--service-cluster-ip-range=10.0.0.0/24,10.1.0.0/24", "must be of different IP family"],
    ["--service-cluster-ip-range=10.0.0.0/24,fd00::/120,10.1.0.0/24", "must not contain more than two entries"],
  ],
  "service-node-port-range": [
    ["--service-node-port-range=many", "unable to parse port range: many"],
    ["--service-node-port-range=70000-80000", "the port range cannot be greater than 65535"],
    ["--service-node-port-range=2-1", "end port cannot be less than start port"],
  ],
  "strict-transport-security-directives": [
    ["--strict-transport-security-directives=max-age=1,preloaded", "--strict-transport-security-directives invalid"],
    ["--strict-transport-security-directives=max-age=1=2", "--strict-transport-security-directives invalid"],
  ],
  base: [
    ["--base=tiny", "--base=tiny: there is no such base; use kubernetes, core, none"],
    ["--base=none", 'base "none" serves only the project\'s own kinds, and the project defines none'],
  ],
  release: [
    ["--release=soon", '"soon" is not a release'],
    ["--release=2.0", "release 2.0 is unknown: the definitions, of 1.33, know releases 1.6 to 1.40"],
    ["--release=1.5", "release 1.5 is unknown: the definitions, of 1.33, know releases 1.6 to 1.40"],
    ["--release=1.41", "release 1.41 is unknown: the definitions, of 1.33, know releases 1.6 to 1.40"],
  ],
  "runtime-config": [["--runtime-config=bach/v1", 'there is no API version "bach/v1" (did you mean "batch/v1"?)']],
  "feature-gates": [["--feature-gates=WatchLst=true", '(did you mean "WatchList"?)']],
  "show-hidden-metrics-for-version": [
    ["--show-hidden-metrics-for-version=1.30", "must be omitted or have the value '1.32'"],
  ],
  "enable-admission-plugins": [
    ["--enable-admission-plugins=Prioritty", '(did you mean "Priority"?)'],
    ["--enable-admission-plugins=EventRateLimit", '"EventRateLimit" needs a configuration in'],
  ],
  "egress-selector-config-file": [
    ["--egress-selector-config-file=/nowhere", "/nowhere: ENOENT"],
    [`--egress-selector-config-file=${other}`, "v1 ConfigMap cannot be used here"],
  ],
  "tracing-config-file": [
    ["--tracing-config-file=/nowhere", "/nowhere: ENOENT"],
    [`--tracing-config-file=${other}`, "v1 ConfigMap cannot be used here"],
  ],
  "admission-control-config-file": [
    ["--admission-control-config-file=/nowhere", "/nowhere: ENOENT"],
    [`--admission-control-config-file=${other}`, "v1 ConfigMap cannot be used here"],
  ],
  "disable-admission-plugins": [["--disable-admission-plugins=Prioritty", '(did you mean "Priority"?)']],
  "audit-policy-file": [
    [[`--audit-policy-file=${other}`, `--audit-log-path=${join(files, "audit.log")}`], "cannot be used here"],
  ],
  "audit-webhook-config-file": [
    [[`--audit-policy-file=${policy}`, `--audit-webhook-config-file=${broken}`], `${broken}: `],
    [[`--audit-policy-file=${policy}`, "--audit-webhook-config-file=/nowhere"], "/nowhere: ENOENT"],
  ],
  "audit-webhook-mode": [["--audit-webhook-mode=slow", "write one of batch, blocking, blocking-strict"]],
  "audit-webhook-batch-buffer-size": [
    [
      [toWebhook, "--audit-webhook-batch-buffer-size=0"],
      "invalid audit batch webhook buffer size 0, must be a positive number",
    ],
  ],
  "audit-webhook-batch-max-size": [[[toWebhook, "--audit-webhook-batch-max-size=0"], "must be a positive number"]],
  "audit-webhook-batch-throttle-qps": [
    [[toWebhook, "--audit-webhook-batch-throttle-qps=0"], "must be a positive number"],
    ["--audit-webhook-batch-throttle-qps=-1", "write a number from 0"],
  ],
  "audit-webhook-batch-throttle-burst": [
    [[toWebhook, "--audit-webhook-batch-throttle-burst=0"], "must be a positive number"],
  ],
  "audit-webhook-truncate-max-event-size": [
    [
      [toWebhook, "--audit-webhook-truncate-max-event-size=0"],
      "invalid audit truncate webhook max event size 0, must be a positive number",
    ],
  ],
  "audit-webhook-truncate-max-batch-size": [
    [
      [toWebhook, "--audit-webhook-truncate-max-batch-size=5"],
      "invalid audit truncate webhook max batch size 5, must be greater than max event size (102400)",
    ],
  ],
  "audit-webhook-version": [["--audit-webhook-version=audit.k8s.io/v1beta1", "write one of audit.k8s.io/v1"]],
  "audit-log-version": [["--audit-log-version=audit.k8s.io/v1beta1", "write one of audit.k8s.io/v1"]],
  "audit-log-batch-buffer-size": [
    [
      [...batched, "--audit-log-batch-buffer-size=0"],
      "invalid audit batch log buffer size 0, must be a positive number",
    ],
  ],
  "audit-log-batch-max-size": [[[...batched, "--audit-log-batch-max-size=0"], "must be a positive number"]],
  "audit-log-batch-throttle-qps": [
    [
      [...batched, "--audit-log-batch-throttle-enable"],
      "invalid audit batch log throttle QPS 0, must be a positive number",
    ],
  ],
  "audit-log-batch-throttle-burst": [
    [
      [...batched, "--audit-log-batch-throttle-enable", "--audit-log-batch-throttle-qps=1"],
      "invalid audit batch log throttle burst 0, must be a positive number",
    ],
  ],
  "audit-log-truncate-max-event-size": [
    [
      ["--audit-log-path=-", "--audit-log-truncate-max-event-size=0"],
      "invalid audit truncate log max event size 0, must be a positive number",
    ],
  ],
  "audit-log-truncate-max-batch-size": [
    [
      ["--audit-log-path=-", "--audit-log-truncate-max-batch-size=5"],
      "invalid audit truncate log max batch size 5, must be greater than max event size (102400)",
    ],
  ],
  "audit-log-format": [["--audit-log-format=xml", "write one of json, legacy"]],
  "audit-log-mode": [["--audit-log-mode=slow", "write one of batch, blocking, blocking-strict"]],
};

/** Values that are invalid for every flag of a type. */
const NEVER: Readonly<Record<string, readonly (readonly [value: string, words: string])[]>> = {
  boolean: [["maybe", "write true or false"]],
  number: [["-1", "not a number"]],
  duration: [
    ["soon", "not a duration"],
    ["-1s", "can not be negative value"],
  ],
};

const cases = FLAGS.flatMap(({ name, type }) => [
  ...(NEVER[type] ?? []).map(([value, words]) => ({ args: [`--${name}=${value}`], words })),
  ...(BAD[name] ?? []).map(([args, words]) => ({ args: [args].flat(), words })),
]);

describe("invalid values of flags", () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "typeplane-home-"));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it("are tested for every flag", () => {
    const known = (name: string, type: string) => name in BAD || type in NEVER || FREE.has(name);
    expect(FLAGS.filter(({ name, type }) => !known(name, type)).map(({ name }) => name)).toEqual([]);
  });

  it.each(cases)("are rejected before any file is created: $args", async ({ args, words }) => {
    const places = ["data", "cert"].map((kind) => `--${kind}-dir=${join(home, kind)}`);
    const all = ["--secure-port=0", ...places, `--kubeconfig-out=${join(home, "kubeconfig")}`, ...args];
    const log = () => undefined;
    const serving = async () => serve(await readSettings(registry, readConfig(parseFlags(all)), log), log, log);
    const refusal = await serving().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ message: expect.stringContaining(words), code: expect.any(String) });
    expect(String((refusal as Error).message).split("\n")).toHaveLength(1);
    expect(readdirSync(home)).toEqual([]);
    expect(readdirSync(files)).not.toContain("audit.log");
  });
});
